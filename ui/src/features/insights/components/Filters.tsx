import { X } from 'lucide-react'
import { agentLabel } from '@/components/AgentGlyph'
import { Button } from '@/components/ui/button'
import { useNow } from '@/hooks/use-now'
import { isoDay } from '@/lib/days'
import { whole } from '@/lib/format'
import type { Facets } from '../model'
import { DEFAULT_LIMIT, hasFilter, limits, noFilter } from '../search'
import { useInsightsSearch, useSetSearch } from '../use-insights'
import { Choice } from './Choice'

const DAY_MS = 86_400_000
const spans = [7, 30, 90]
const same = (values: string[]) => values.map((value) => ({ value, label: value }))

/** Which sessions all of the view is about; the choices are in the URL. */
export function Filters({ facets, total, shown }: { facets: Facets; total: number | undefined; shown: number | undefined }) {
  const search = useInsightsSearch()
  const set = useSetSearch()
  const last = search.last ?? DEFAULT_LIMIT
  return (
    <div role="search" aria-label="Filter sessions" className="flex flex-wrap items-center gap-1.5">
      <h1 className="sr-only">Insights</h1>
      <Choice
        name="How many"
        value={String(last)}
        options={[...new Set([...limits, last])].sort((a, b) => a - b).map((n) => ({ value: String(n), label: `Newest ${whole(n)}` }))}
        onChange={(n) => set({ last: Number(n) === DEFAULT_LIMIT ? undefined : Number(n) })}
      />
      <Choice name="Agent" any="Any agent" value={search.agent} options={facets.agents.map((value) => ({ value, label: agentLabel(value) }))} onChange={(agent) => set({ agent })} />
      {(facets.repos.length > 0 || search.repo) && <Choice name="Repository" any="Any repository" value={search.repo} options={same(facets.repos)} onChange={(repo) => set({ repo })} />}
      {(facets.branches.length > 1 || search.branch) && <Choice name="Branch" any="Any branch" value={search.branch} options={same(facets.branches)} onChange={(branch) => set({ branch })} />}
      <Choice name="Model" any="Any model" value={search.model} options={same(facets.models)} onChange={(model) => set({ model })} />
      {(facets.labels.length > 0 || search.label) && <Choice name="Label" any="Any label" value={search.label} options={same(facets.labels)} onChange={(label) => set({ label })} />}
      <Days />
      {hasFilter(search) && (
        <Button onClick={() => set(noFilter)}>
          <X size={14} aria-hidden /> Clear
        </Button>
      )}
      {total !== undefined && shown !== undefined && (
        <span role="status" className="ml-auto text-small text-text-3 tabular-nums">
          {shown < total ? `newest ${whole(shown)} of ${whole(total)} sessions` : `${whole(total)} ${total === 1 ? 'session' : 'sessions'}`}
        </span>
      )}
    </div>
  )
}

function Days() {
  const { from, to } = useInsightsSearch()
  const set = useSetSearch()
  const now = useNow(60_000)
  const today = isoDay(now)
  const start = (days: number) => isoDay(now - (days - 1) * DAY_MS)
  const span = spans.find((n) => !to && from === start(n))
  const input = 'h-7 rounded-md border bg-panel px-1.5 text-text-2 tabular-nums [color-scheme:inherit] hover:bg-hover'
  return (
    <div className="flex items-center gap-1">
      <Choice
        name="Days"
        any="All days"
        value={span ? String(span) : from || to ? 'range' : undefined}
        options={[...spans.map((n) => ({ value: String(n), label: `Last ${n} days` })), { value: 'range', label: 'From … to' }]}
        onChange={(v) => set(v === undefined ? { from: undefined, to: undefined, brush: undefined } : v === 'range' ? { from: from ?? start(30), to: to ?? today, brush: undefined } : { from: start(Number(v)), to: undefined, brush: undefined })}
      />
      {!span && (from || to) && (
        <>
          <input type="date" aria-label="From this day" value={from ?? ''} max={to ?? today} onChange={(e) => set({ from: e.target.value || undefined, brush: undefined })} className={input} />
          <span aria-hidden className="text-text-3">–</span>
          <input type="date" aria-label="To this day" value={to ?? ''} min={from} max={today} onChange={(e) => set({ to: e.target.value || undefined, brush: undefined })} className={input} />
        </>
      )}
    </div>
  )
}

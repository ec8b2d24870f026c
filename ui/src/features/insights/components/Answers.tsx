import { Download } from 'lucide-react'
import type { InsightFilter } from '@/api/client'
import { api } from '@/api/client'
import type { FlagKind, Insights } from '@/api/types'
import { categories } from '@/components/categories'
import { flagLooks } from '@/components/flags'
import { Button } from '@/components/ui/button'
import { percent } from '@/lib/delta'
import { compact, plural, whole } from '@/lib/format'
import { sessionMeasures } from '../measures'
import { FEW_CALLS, failing } from '../model'
import { useInsightsSearch, useSetSearch } from '../use-insights'
import { Bars } from './Bars'
import { Choice } from './Choice'
import { ModelBars } from './ModelBars'
import { Panel } from './Panel'
import { MOST_COLUMNS, SessionChart } from './SessionChart'
import { SessionTable } from './SessionTable'
import { TokenBar } from './TokenBar'
import { ToolTable } from './ToolTable'

/** What the chosen days answer, each chart under its question. */
export function Answers({ data, filter }: { data: Insights; filter: InsightFilter }) {
  return (
    <>
      <div className="grid gap-3 lg:grid-cols-2">
        <Panel title="Which tools fail most?" note={`fewer than ${FEW_CALLS} calls: last`}>
          <Failing data={data} />
        </Panel>
        <Panel title="What does each model cost?" note={`prices of ${data.pricesDate}`}>
          <ModelBars models={data.models} />
        </Panel>
        <Panel title="Which flags, how often?" note="share of turns">
          <Flags data={data} />
        </Panel>
        <Panel title="Where do the tokens go?">
          <TokenBar tokens={data.summary.tokens} />
        </Panel>
      </div>
      <Sessions data={data} />
      <Panel title="How does each tool do?" note={plural(data.tools.length, 'tool')}>
        {data.tools.length > 0 ? <ToolTable tools={data.tools} /> : <p className="px-3 pb-3 text-text-2">No tool was called.</p>}
      </Panel>
      <Panel
        title="Which sessions were these?"
        note={plural(data.sessions.length, 'session')}
        actions={
          <Button asChild>
            <a href={api.insightsCsv(filter)} download>
              <Download size={14} aria-hidden /> CSV
            </a>
          </Button>
        }
      >
        <SessionTable sessions={data.sessions} />
      </Panel>
    </>
  )
}

function Failing({ data }: { data: Insights }) {
  const tools = failing(data.tools)
  const most = Math.max(...tools.map((t) => t.failRate))
  if (tools.length === 0) return <p className="px-3 pb-3 text-text-2">{data.summary.calls > 0 ? 'No call failed.' : 'No tool was called.'}</p>
  return (
    <Bars
      label="Fail rate by tool"
      rows={tools.map((t) => {
        const look = categories[t.category]
        return {
          key: t.tool,
          icon: <look.icon size={13} aria-hidden className={`shrink-0 ${look.text}`} />,
          label: t.tool,
          share: t.failRate / most,
          text: percent(t.failRate),
          note: `${compact(t.failed)} of ${compact(t.calls)}`,
          fill: t.calls < FEW_CALLS ? 'bg-fail/40' : 'bg-fail',
          tip: `${t.tool}: ${whole(t.failed)} of ${plural(t.calls, 'call')} failed, ${plural(t.retries, 'retry', 'retries')}${t.calls < FEW_CALLS ? '\nToo few calls for a rate to mean much.' : ''}`,
        }
      })}
    />
  )
}

const tones: Record<FlagKind, string> = { fail: 'bg-fail', retry: 'bg-warn', loop: 'bg-warn', fanout: 'bg-text-3', 'compaction-loss': 'bg-fail', thrash: 'bg-warn' }

function Flags({ data }: { data: Insights }) {
  const flags = [...data.flags].sort((a, b) => b.rate - a.rate)
  const most = flags[0]?.rate ?? 1
  if (flags.length === 0) return <p className="px-3 pb-3 text-text-2">No turn was flagged.</p>
  return (
    <Bars
      label="Flags"
      rows={flags.map((f) => ({
        key: f.kind,
        label: flagLooks[f.kind]?.label ?? f.kind,
        share: f.rate / most,
        text: percent(f.rate),
        note: `${compact(f.turns)} of ${compact(data.summary.turns)}`,
        fill: tones[f.kind] ?? 'bg-warn',
        tip: `${plural(f.count, 'flag')} in ${plural(f.turns, 'turn')} of ${plural(f.sessions, 'session')}`,
      }))}
    />
  )
}

function Sessions({ data }: { data: Insights }) {
  const search = useInsightsSearch()
  const set = useSetSearch()
  const offered = sessionMeasures.filter((m) => m.key === search.of || data.sessions.some((s) => (m.value(s) ?? 0) > 0))
  const measure = sessionMeasures.find((m) => m.key === (search.of ?? 'toolsPerTurn'))!
  const cut = data.sessions.length > MOST_COLUMNS
  return (
    <Panel
      title={measure.title}
      note={cut ? `the newest ${MOST_COLUMNS} sessions, newest on the right` : 'newest on the right'}
      actions={<Choice name="Show" value={measure.key} options={offered.map((m) => ({ value: m.key, label: m.name }))} onChange={(of) => set({ of: of === 'toolsPerTurn' ? undefined : (of as typeof measure.key) })} />}
    >
      <SessionChart sessions={data.sessions} measure={measure} />
    </Panel>
  )
}

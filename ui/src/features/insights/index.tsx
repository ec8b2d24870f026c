import { useQuery } from '@tanstack/react-query'
import { FilterX, X } from 'lucide-react'
import { useMemo } from 'react'
import type { Insights } from '@/api/types'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Notice } from '@/components/Notice'
import { Skeleton } from '@/components/Skeleton'
import { UnverifiedNote } from '@/components/Unverified'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { longDay, shortDay, timeZone } from '@/lib/days'
import { Answers } from './components/Answers'
import { Choice } from './components/Choice'
import { DayChart } from './components/DayChart'
import { Filters } from './components/Filters'
import { Panel } from './components/Panel'
import { Strip } from './components/Strip'
import { dayMeasures } from './measures'
import { facets } from './model'
import { insightQueries } from './queries'
import { brushDays, brushOf, facetFilter, filterOf, hasFilter, noFilter } from './search'
import { useInsightsSearch, useSetSearch } from './use-insights'

const dayRule = 'A session counts on every day on which one of its turns started, those of its sub-agents included, and it counts whole.'

/** The Insights view: numbers over many sessions, from the whole down to the single one. */
export function InsightsView() {
  const search = useInsightsSearch()
  const set = useSetSearch()
  const filter = filterOf(search, timeZone)
  const brush = brushDays(search.brush)
  const whole = useQuery(insightQueries.insights(filter))
  const brushed = { ...filter, brush: search.brush }
  const part = useQuery({ ...insightQueries.insights(brushed), enabled: brush !== undefined })
  const offered = useQuery(insightQueries.insights(facetFilter(search, timeZone)))
  const choices = useMemo(() => facets(offered.data), [offered.data])
  const below = brush ? part.data : whole.data
  return (
    <div className="h-full overflow-y-auto [scrollbar-gutter:stable]">
      <div className="mx-auto flex min-h-full max-w-[1280px] flex-col gap-3 px-4 py-3 max-sm:px-3">
        <Filters facets={choices} total={whole.data?.total} shown={whole.data?.summary.sessions} />
        {whole.isPending ? (
          <Skeleton label="Adding up" rows={8} />
        ) : !whole.data ? (
          <ErrorNotice error={whole.error} what="The numbers could not be loaded" onRetry={() => void whole.refetch()} />
        ) : whole.data.summary.sessions === 0 ? (
          <Notice
            icon={FilterX}
            title="No session matches the filter"
            actions={hasFilter(search) && <Button variant="outline" onClick={() => set(noFilter)}>Clear the filter</Button>}
          />
        ) : (
          <div aria-busy={whole.isPlaceholderData} className={cn('flex flex-col gap-3 pb-8 transition-opacity', whole.isPlaceholderData && 'opacity-60')}>
            <Strip data={whole.data} />
            <UnverifiedNote agents={whole.data.sessions.map((s) => s.agent)} />
            <Days data={whole.data} />
            {below && below.summary.sessions > 0 ? (
              <div className={cn('flex flex-col gap-3', brush && part.isPlaceholderData && 'opacity-60')}>
                <Answers data={below} filter={brushed} />
              </div>
            ) : (
              brush && !part.isPending && <Notice icon={FilterX} title="No turn started on these days">{dayRule}</Notice>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

function Days({ data }: { data: Insights }) {
  const search = useInsightsSearch()
  const set = useSetSearch()
  // What is nothing on every day is no choice.
  const offered = dayMeasures.filter((m) => m.key === search.per || data.days.some((d) => (m.value(d) ?? 0) > 0))
  const measure = dayMeasures.find((m) => m.key === (search.per ?? 'tokens'))!
  const brush = brushDays(search.brush)
  return (
    <Panel
      title={measure.title}
      note={
        brush ? (
          <span role="status" data-tip={dayRule} className="text-text">
            Below: {brush.from === brush.to ? longDay(brush.from) : `${shortDay(brush.from)} – ${shortDay(brush.to)}`}
          </span>
        ) : (
          <span data-tip={dayRule}>Drag over days to see only their sessions below. Days of {data.tz.replace('_', ' ')}.</span>
        )
      }
      actions={
        <>
          {brush && (
            <Button size="tiny" onClick={() => set({ brush: undefined })}>
              <X size={13} aria-hidden /> All days
            </Button>
          )}
          <Choice name="Show" value={measure.key} options={offered.map((m) => ({ value: m.key, label: m.name }))} onChange={(per) => set({ per: per === 'tokens' ? undefined : (per as typeof measure.key) })} />
        </>
      }
    >
      <DayChart days={data.days} measure={measure} chosen={brush} onChoose={(range) => set({ brush: range && brushOf(range.from, range.to) })} />
    </Panel>
  )
}

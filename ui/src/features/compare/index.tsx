import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Comparison } from '@/api/types'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Skeleton } from '@/components/Skeleton'
import { UnverifiedNote } from '@/components/Unverified'
import { useShortcuts } from '@/hooks/use-shortcuts'
import { cn } from '@/lib/cn'
import { timeZone } from '@/lib/days'
import { plural } from '@/lib/format'
import { Block, Scroller } from './components/Block'
import { Choose } from './components/Choose'
import { GroupCard } from './components/GroupCard'
import { GroupTable } from './components/GroupTable'
import { MetricTable } from './components/MetricTable'
import { PromptDiff } from './components/PromptDiff'
import { Sequence } from './components/Sequence'
import { SideCard } from './components/SideCard'
import { ToolTable } from './components/ToolTable'
import { Toolbar } from './components/Toolbar'
import { changeCounts, isSelf } from './model'
import { compareQueries } from './queries'
import type { SideName } from './search'
import { missing, modeOf, queryOf } from './search'
import { useCompareSearch } from './use-compare'
import { useRecent } from './use-recent'

/** The Compare view: two sides, a sentence, and everything that the sentence rests on. */
export function CompareView() {
  const search = useCompareSearch()
  const query = queryOf(search, timeZone)
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(compareQueries.comparison(query))
  const comparison = query && !error ? data : undefined
  useRecent(isPlaceholderData ? undefined : comparison, search)
  const groups = modeOf(search) === 'groups'
  // Whoever comes from one turn wants to choose the other.
  const [picking, setPicking] = useState<SideName | undefined>(() => (missing(search).length === 1 ? missing(search)[0] : undefined))
  useShortcuts({ compare: () => setPicking(missing(search)[0] ?? 'b') })
  return (
    <div tabIndex={-1} className="h-full overflow-y-auto [scrollbar-gutter:stable]">
      <div className="mx-auto flex min-h-full max-w-[1120px] flex-col gap-4 px-4 py-3 max-sm:px-3">
        <Toolbar comparison={comparison} />
        <div className="grid gap-3 md:grid-cols-2">
          {(['a', 'b'] as const).map((side) => {
            const picker = { side, picking: picking === side, onPicking: (on: boolean) => setPicking(on ? side : undefined) }
            return groups ? <GroupCard key={side} {...picker} found={comparison?.kind === 'groups' ? comparison[side] : undefined} /> : <SideCard key={side} {...picker} />
          })}
        </div>
        {!query ? (
          <Choose mode={modeOf(search)} />
        ) : comparison ? (
          <div aria-busy={isPlaceholderData} className={cn('flex flex-col gap-6 pb-8 transition-opacity', isPlaceholderData && 'opacity-50')}>
            <Result comparison={comparison} />
          </div>
        ) : isPending ? (
          <Skeleton label="Comparing" rows={8} />
        ) : (
          <ErrorNotice error={error} what="The two could not be compared" onRetry={() => void refetch()} />
        )}
      </div>
    </div>
  )
}

function Result({ comparison: c }: { comparison: Comparison }) {
  const n = changeCounts(c.sequence)
  return (
    <>
      <div role="status">
        <h2 className="max-w-[80ch] pt-1 text-[18px]/7 font-semibold text-balance">{isSelf(c) ? 'A and B are the same.' : c.sentence.replaceAll(' %', '\u00a0%')}</h2>
      </div>
      <UnverifiedNote agents={[...c.a.sessions, ...c.b.sessions].map((s) => s.agent)} className="-mt-4 text-small text-text-3" />
      {c.prompts && <PromptDiff prompts={c.prompts} />}
      {c.kind === 'groups' ? (
        <Block title="How do the runs spread?" note="A dot is a run, the thick line the median, the band where B’s median may lie (95 %). If A’s dashed line is outside of the band, the difference is more than chance.">
          <GroupTable metrics={c.metrics} />
        </Block>
      ) : (
        <Block title="What differs?" note={c.kind === 'sessions' ? 'Sub-agents are counted in.' : undefined}>
          <div className="rounded-md border bg-panel px-1">
            <MetricTable metrics={c.kind === 'turns' ? c.metrics.filter((m) => m.key !== 'turns') : c.metrics} />
          </div>
        </Block>
      )}
      {c.kind === 'turns' && (
        <Block title="Which calls were made?" note={`${n.same} the same · ${n.changed} with other arguments · ${n.added} only in B · ${n.dropped} only in A`}>
          {c.sequence.length > 0 ? <Sequence comparison={c} /> : <p className="text-text-2">Neither turn called a tool.</p>}
        </Block>
      )}
      <Block title="Which tools were used?" note={c.tools.length > 0 ? plural(c.tools.length, 'tool') : undefined}>
        {c.tools.length > 0 ? (
          <Scroller label="Tools of A and B">
            <ToolTable tools={c.tools} />
          </Scroller>
        ) : (
          <p className="text-text-2">Neither side called a tool.</p>
        )}
      </Block>
    </>
  )
}

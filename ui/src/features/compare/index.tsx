import { useQuery } from '@tanstack/react-query'
import { GitCompareArrows } from 'lucide-react'
import type { Comparison } from '@/api/types'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Notice } from '@/components/Notice'
import { Skeleton } from '@/components/Skeleton'
import { cn } from '@/lib/cn'
import { timeZone } from '@/lib/days'
import { plural } from '@/lib/format'
import { Block, Scroller } from './components/Block'
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
import { modeOf, queryOf } from './search'
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
  return (
    <div tabIndex={-1} className="h-full overflow-y-auto [scrollbar-gutter:stable]">
      <div className="mx-auto flex min-h-full max-w-[1120px] flex-col gap-4 px-4 py-3 max-sm:px-3">
        <Toolbar comparison={comparison} />
        <div className="grid gap-3 md:grid-cols-2">
          {groups ? <GroupCard side="a" found={comparison?.kind === 'groups' ? comparison.a : undefined} /> : <SideCard side="a" />}
          {groups ? <GroupCard side="b" found={comparison?.kind === 'groups' ? comparison.b : undefined} /> : <SideCard side="b" />}
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

function Choose({ mode }: { mode: ReturnType<typeof modeOf> }) {
  const words = {
    sessions: 'Choose a session for A and one for B. What differs is shown as B − A, and coloured by whether B is better.',
    turns: 'Choose a turn for A and one for B, of one session or of two. Their calls are then laid side by side.',
    groups: 'Choose runs for A and for B: by repository, branch, label, agent, model or day, or one by one. More than a few runs each are needed to tell a difference from chance.',
  }
  return (
    <Notice icon={GitCompareArrows} title="Two sides make a comparison">
      {words[mode]}
    </Notice>
  )
}

function Result({ comparison: c }: { comparison: Comparison }) {
  const n = changeCounts(c.sequence)
  return (
    <>
      <h2 role="status" className="max-w-[80ch] pt-1 text-[18px]/7 font-semibold text-balance">
        {isSelf(c) ? 'A and B are the same.' : c.sentence}
      </h2>
      {c.prompts && <PromptDiff prompts={c.prompts} />}
      {c.kind === 'groups' ? (
        <Block title="How do the runs spread?" note="A dot is a run, the thick line the median, the band where B’s median may lie (95 %). If A’s dashed line is outside of the band, the difference is more than chance.">
          <GroupTable metrics={c.metrics} />
        </Block>
      ) : (
        <Block title="What differs?" note="Sub-agents are counted in.">
          <div className="rounded-md border bg-panel px-1">
            <MetricTable metrics={c.metrics} />
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

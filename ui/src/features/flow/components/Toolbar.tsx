import { Link } from '@tanstack/react-router'
import { ArrowRight, Flag, Table2 } from 'lucide-react'
import type { Ribbon } from '@/api/flow'
import { flagLooks } from '@/components/flags'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { compact } from '@/lib/format'
import { flagTurns } from '../ribbon'
import { useFlowSearch, useSetFlow } from '../use-flow'

/** Flag chips that filter all levels, the axis of the ribbon, the way to the table and to Live. */
export function Toolbar({ session, ribbon, shown }: { session: string; ribbon: Ribbon; shown: number }) {
  const search = useFlowSearch()
  const set = useSetFlow()
  const byTime = search.axis === 'time'
  return (
    <div role="toolbar" aria-label="Flow" className="flex min-h-9 shrink-0 items-center gap-1 overflow-x-auto border-b bg-panel px-2 py-1">
      {flagTurns(ribbon).map(({ kind, turns }) => (
        <Button
          key={kind}
          aria-pressed={search.flag === kind}
          data-tip={`Only what is flagged ${flagLooks[kind].label}: ${compact(turns)} of ${compact(ribbon.turnCount)} turns`}
          onClick={() => set({ flag: search.flag === kind ? undefined : kind })}
          className={cn('h-6 gap-1 border px-1.5 text-small', flagLooks[kind].tone, search.flag === kind && 'border-current bg-selected')}
        >
          <Flag size={11} aria-hidden />
          {flagLooks[kind].label}
          <span className="tabular-nums text-text-2">{compact(turns)}</span>
        </Button>
      ))}
      <span className="ml-auto flex shrink-0 items-center gap-1">
        <span role="group" aria-label="Axis of the ribbon" className="flex">
          <Button aria-pressed={!byTime} className={cn('h-6 rounded-r-none border text-small', !byTime && 'bg-selected text-text')} onClick={() => set({ axis: undefined })}>
            By turn
          </Button>
          <Button aria-pressed={byTime} className={cn('-ml-px h-6 rounded-l-none border text-small', byTime && 'bg-selected text-text')} onClick={() => set({ axis: 'time' })}>
            By time
          </Button>
        </span>
        <Button aria-pressed={search.table ?? false} data-tip="The same as rows" className={cn('h-6 border text-small', search.table && 'bg-selected text-text')} onClick={() => set({ table: search.table ? undefined : true })}>
          <Table2 size={12} aria-hidden />
          Table
        </Button>
        <Link to="/live" search={{ session, turn: shown + 1, ...(search.call === undefined ? {} : { tab: 'calls' as const, call: search.call }) }} className="flex h-6 items-center gap-1 rounded-md px-1.5 text-small whitespace-nowrap text-accent hover:bg-hover">
          Open in Live
          <ArrowRight size={13} aria-hidden />
        </Link>
      </span>
    </div>
  )
}

import { Link } from '@tanstack/react-router'
import { ArrowLeft, ChevronLeft, ChevronRight, GitCompareArrows } from 'lucide-react'
import type { Session, Turn } from '@/api/types'
import { Sourced } from '@/components/Sourced'
import { StatusIcon, statusLabel } from '@/components/StatusIcon'
import { Button, IconButton } from '@/components/ui/button'
import { useNow } from '@/hooks/use-now'
import { absolute, amount, clockTime, duration, elapsed, measured, plural } from '@/lib/format'
import { tokenTip, totalOf } from '@/lib/tokens'
import { clocksNow } from '../model'
import { useSetSearch } from '../use-live'
import { ClockBar } from './ClockBar'

interface Props {
  session: Session
  turn: Turn
  running: boolean
}

export function DetailHeader({ session, turn, running }: Props) {
  const set = useSetSearch()
  const now = useNow(running ? 1000 : 0)
  const t = turn.totals
  const wall = running ? elapsed(now - turn.startedAt) : t.clocks.wallMs > 0 ? duration(t.clocks.wallMs) : '—'
  return (
    <header className="flex shrink-0 flex-col gap-1.5 px-4 pt-2.5 pb-2">
      <div className="flex items-center gap-2">
        <IconButton label="Back to the turns" size="tinyIcon" className="min-[900px]:hidden" onClick={() => set({ turn: undefined, call: undefined })}>
          <ArrowLeft size={16} />
        </IconButton>
        <h2 className="flex items-center gap-2 text-[15px] font-semibold whitespace-nowrap">
          <StatusIcon turn={turn} running={running} />
          Turn {turn.index + 1}
        </h2>
        <span className="truncate text-text-2">{statusLabel(turn, running)}</span>
        <span className="ml-auto flex">
          <Button asChild size="tiny">
            <Link to="/compare" search={{ by: 'turns', a: session.id, turnA: turn.index + 1 }} data-tip="Lay another turn beside this one (c)">
              <GitCompareArrows size={14} aria-hidden /> Diff
            </Link>
          </Button>
          <IconButton label="Older turn" size="tinyIcon" disabled={turn.index === 0} onClick={() => set({ turn: turn.index, call: undefined })}>
            <ChevronLeft size={16} />
          </IconButton>
          <IconButton label="Newer turn" size="tinyIcon" disabled={turn.index + 1 >= session.totals.turns} onClick={() => set({ turn: turn.index + 2, call: undefined })}>
            <ChevronRight size={16} />
          </IconButton>
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 tabular-nums text-text-2">
        <Sourced at={turn.ref} tip={`Started ${absolute(turn.startedAt)}\nLast record ${absolute(turn.endedAt)}`}>
          <span className="text-text">{wall}</span>
        </Sourced>
        <span>{plural(t.roundTrips, 'round trip')}</span>
        <span>{plural(t.calls, 'call')}</span>
        <span data-tip={tokenTip(t.tokens)}>{measured(totalOf(t.tokens))} tok</span>
        {t.premiumRequests && t.premiumRequests.quality !== 'unknown' && <span>{measured(t.premiumRequests, amount)} premium</span>}
        {t.credits && t.credits.quality !== 'unknown' && <span>{measured(t.credits, amount)} AI credits</span>}
        {t.linesAdded + t.linesRemoved > 0 && (
          <span>
            <span className="text-ok">+{t.linesAdded}</span> <span className="text-fail">−{t.linesRemoved}</span>
          </span>
        )}
        {turn.model && <span className="normal-nums text-text-3">{turn.model}</span>}
        <span className="text-text-3" data-tip={absolute(turn.startedAt)}>
          {clockTime(turn.startedAt)}
        </span>
      </div>
      <ClockBar clocks={running ? clocksNow(turn, now) : t.clocks} />
    </header>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Hand, Moon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { queries } from '@/api/queries'
import type { Session, Turn } from '@/api/types'
import { runningIn, urgentFirst } from '@/components/running/model'
import { RunningChip } from '@/components/running/RunningChip'
import { useRunning } from '@/components/running/use-running'
import { Button } from '@/components/ui/button'
import { useMedia } from '@/hooks/use-media'
import { useNow } from '@/hooks/use-now'
import { cn } from '@/lib/cn'
import { ago, elapsed, measured, plural } from '@/lib/format'
import { totalOf } from '@/lib/tokens'
import { isRunning, runningUnknown } from '../model'
import { useOpenCall, useSetSearch } from '../use-live'

interface Props {
  session: Session
  latest: Turn | undefined
  shown: number | undefined
}

const MOST_CALLS = 4

/** One line on what the session does now. It is there for as long as a process holds the session, so nothing jumps. */
export function Banner({ session, latest, shown }: Props) {
  // In the logs of some agents a call that runs looks like the end of its turn.
  const { data: unknown } = useQuery({ ...queries.health(), select: (health) => runningUnknown(health, session.agent) })
  const running = runningIn(useRunning(), session.id)
  if (session.state === 'ended') return null
  if (session.state === 'crashed') {
    return (
      <Line tone="bg-fail-soft text-fail" icon={<TriangleAlert size={14} aria-hidden />}>
        The process is gone, and turn {(latest?.index ?? 0) + 1} was never finished.
      </Line>
    )
  }
  const busy = unknown && (session.state === 'busy' || running.length > 0)
  if (latest && (busy || isRunning(latest, session))) return <Running session={session} turn={latest} shown={shown} unknown={unknown} />
  return <Idle session={session} latest={latest} />
}

function Line({ tone, icon, children }: { tone: string; icon: ReactNode; children: ReactNode }) {
  return (
    <div role="status" className={cn('flex h-8 shrink-0 items-center gap-2 overflow-hidden border-b px-3 whitespace-nowrap', tone)}>
      {icon}
      {children}
    </div>
  )
}

function Idle({ session, latest }: { session: Session; latest: Turn | undefined }) {
  const now = useNow(10_000)
  const last = latest ? `Turn ${latest.index + 1} ended ${ago(latest.endedAt, now)}.` : 'No turn yet.'
  return (
    <Line tone="bg-panel text-text-2" icon={session.state === 'waiting' ? <Hand size={14} aria-hidden className="text-warn" /> : <Moon size={14} aria-hidden className="text-ok" />}>
      {session.state === 'waiting' ? `Waiting for you${session.waitingFor ? `: ${session.waitingFor}` : ''}.` : 'Waiting for the next prompt.'}
      <span className="text-text-3">{last}</span>
    </Line>
  )
}

function Running({ session, turn, shown, unknown }: { session: Session; turn: Turn; shown: number | undefined; unknown: string | undefined }) {
  const now = useNow(1000)
  const set = useSetSearch()
  const open = useOpenCall()
  const running = urgentFirst(runningIn(useRunning(), session.id))
  const narrow = !useMedia('(min-width: 640px)')
  const most = narrow ? 1 : MOST_CALLS
  const waiting = session.state === 'waiting'
  return (
    <div role="region" aria-label="In progress" className={cn('relative flex h-8 shrink-0 items-center gap-3 overflow-hidden border-b px-3 whitespace-nowrap', waiting ? 'bg-warn-soft' : 'bg-running-soft')}>
      <span className={cn('flex items-center gap-2 font-medium', waiting ? 'text-warn' : 'text-running')}>
        {waiting ? <Hand size={14} aria-hidden /> : <span aria-hidden className="size-2 animate-breathe rounded-full bg-running" />}
        {waiting ? 'Waiting for you' : `Turn ${turn.index + 1}`}
      </span>
      {waiting && session.waitingFor && <span className="truncate">{session.waitingFor}</span>}
      <span className="min-w-12 tabular-nums">{elapsed(now - turn.startedAt)}</span>
      <span className="tabular-nums max-sm:hidden">{plural(turn.totals.calls, 'call')}</span>
      <span className="tabular-nums max-sm:hidden">{measured(totalOf(turn.totals.tokens))} tok</span>
      <ul aria-label="Running calls" className="flex min-w-0 flex-1 gap-1.5 overflow-hidden">
        {running.slice(0, most).map((call) => (
          <li key={`${call.session} ${call.id}`} className="flex min-w-0">
            <RunningChip tool={call} now={Math.max(now, call.startedAt)} onOpen={() => open(call)} />
          </li>
        ))}
        {running.length === 0 && unknown && <li className="min-w-0 self-center truncate text-text-2" data-tip={unknown}>Calls show when they have ended</li>}
        {running.length > most && <li className="self-center text-small text-text-2">+{running.length - most}</li>}
      </ul>
      {shown !== turn.index && (
        <Button size="tiny" className="text-running" onClick={() => set({ turn: undefined, call: undefined })}>
          Show it
        </Button>
      )}
      {!waiting && <span aria-hidden className="absolute bottom-0 left-0 h-px w-1/4 animate-slide bg-running motion-reduce:hidden" />}
    </div>
  )
}

import { ChevronRight } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Session, ToolCall, Turn } from '@/api/types'
import { FlagChip } from '@/components/FlagChip'
import { Masked } from '@/components/Masked'
import { categories } from '@/components/categories'
import { summarizeArgs } from '@/lib/args'
import { cn } from '@/lib/cn'
import { absolute, duration, elapsed } from '@/lib/format'
import type { Lane } from '../calls'
import { outcome } from '../calls'
import { flagsAt, isBroken, span } from '../model'
import { CallIcon } from './NotableCalls'

const load = () => import('./CallBody').then((m) => ({ default: m.CallBody }))
const CallBody = lazy(load)

/** Fetches what an opened call needs before one is opened. */
export function preloadCallBody(): void {
  load().catch(() => undefined) // it is fetched again when it is needed
}

interface Props {
  session: Session
  turn: Turn
  call: ToolCall
  lane: Lane
  now: number
  open: boolean
  chosen: boolean
  onToggle: () => void
}

export function CallRow({ session, turn, call, lane, now, open, chosen, onToggle }: Props) {
  const summary = summarizeArgs(call.args.preview)
  return (
    <div className={cn('relative border-b', chosen && 'bg-panel', call.inherited && 'opacity-60')}>
      {chosen && <span aria-hidden className="absolute inset-y-0 left-0 w-0.5 bg-accent" />}
      <button type="button" aria-expanded={open} onClick={onToggle} className={cn('flex h-[27px] w-full items-center gap-2 pr-3 pl-2 text-left hover:bg-hover', chosen && 'bg-selected hover:bg-selected', call.within && 'pl-6')}>
        <LaneLine lane={lane} />
        <ChevronRight size={14} aria-hidden className={cn('shrink-0 text-text-3 transition-transform duration-100', open && 'rotate-90')} />
        <CallIcon call={call} />
        <span className="shrink-0">{call.tool}</span>
        <span className="min-w-0 flex-1 truncate text-text-2"><Masked text={summary} /></span>
        <CallFlags turn={turn} call={call} />
        <Waterfall turn={turn} call={call} now={now} />
        <Took call={call} now={now} />
        <span className={cn('w-[86px] shrink-0 truncate text-right', tone(call))} data-tip={call.error || undefined}>
          {outcome(call)}
        </span>
      </button>
      {open && (
        <Suspense fallback={<div className="h-20" />}>
          <CallBody session={session} call={call} />
        </Suspense>
      )}
    </div>
  )
}

function tone(call: ToolCall): string {
  if (call.status === 'pending') return 'text-running'
  if (call.status === 'denied' || call.status === 'interrupted') return 'text-warn'
  return isBroken(call) ? 'text-fail' : 'text-text-3'
}

/** Joins the calls that one round trip asked for at once. */
function LaneLine({ lane }: { lane: Lane }) {
  if (lane === 'single') return <span aria-hidden className="w-1 shrink-0" />
  return (
    <span aria-hidden data-tip="Asked for together" className="relative w-1 shrink-0 self-stretch">
      <span className={cn('absolute left-0 w-1 border-l border-line-strong', lane === 'first' ? 'top-1/2 -bottom-px border-t' : lane === 'last' ? 'top-0 bottom-1/2 border-b' : '-bottom-px top-0')} />
    </span>
  )
}

function CallFlags({ turn, call }: { turn: Turn; call: ToolCall }) {
  const flags = flagsAt(turn, 'call', call.seq).filter((f) => f.kind !== 'fail')
  return flags.map((f, i) => <FlagChip key={i} kind={f.kind} reasons={[f.reason]} className="max-sm:hidden" />)
}

function Took({ call, now }: { call: ToolCall; now: number }) {
  const running = call.status === 'pending' && call.startedAt > 0
  const known = call.durationMs.quality !== 'unknown'
  const tip = known ? `Started ${absolute(call.startedAt)}` : 'The log does not say how long it took.'
  return (
    <span className="w-16 shrink-0 text-right tabular-nums text-text-2" data-tip={tip}>
      {running ? elapsed(now - call.startedAt) : known ? duration(call.durationMs.value) : '—'}
    </span>
  )
}

function Waterfall({ turn, call, now }: { turn: Turn; call: ToolCall; now: number }) {
  const bar = span(call, turn, now)
  const fill = isBroken(call) ? 'bg-fail' : (categories[call.category] ?? categories.other).fill
  return (
    <span aria-hidden className="relative h-2 w-[18%] max-w-48 min-w-20 shrink-0 rounded-[2px] bg-raised @max-xl:hidden">
      {bar && <span className={cn('absolute inset-y-0 min-w-[2px] rounded-[2px]', fill, call.status === 'pending' && 'animate-breathe')} style={{ left: `${Math.min(bar.left, 99)}%`, width: `${bar.width}%` }} />}
    </span>
  )
}

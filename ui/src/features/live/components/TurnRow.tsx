import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { Turn } from '@/api/types'
import { FlagChip } from '@/components/FlagChip'
import { flagCounts } from '@/components/flags'
import { Masked } from '@/components/Masked'
import { StatusIcon, statusLabel } from '@/components/StatusIcon'
import { categories, categoryNames } from '@/components/categories'
import { useNow } from '@/hooks/use-now'
import { cn } from '@/lib/cn'
import { absolute, compact, duration, elapsed, plural } from '@/lib/format'

interface Props {
  turn: Turn
  selected: boolean
  running: boolean
}

/** A turn in two lines: what was asked and how it stands; what was done and what went wrong. */
export const TurnRow = memo(function TurnRow({ turn, selected, running }: Props) {
  const number = turn.index + 1
  const prompt = turn.prompt.preview.trim() || (turn.origin === 'auto' ? 'Woken by the agent itself' : 'No prompt text')
  return (
    <div className={cn('@container relative h-full border-b px-3 py-1.5 hover:bg-hover', selected && 'bg-selected hover:bg-selected', (turn.inherited || turn.rewound) && 'opacity-60')}>
      {selected && <span aria-hidden className="absolute inset-y-0 left-0 w-0.5 bg-accent" />}
      <Link
        to="/live"
        search={(old) => ({ ...old, turn: number, call: undefined })}
        aria-current={selected || undefined}
        aria-label={`Turn ${number}, ${statusLabel(turn, running)}: ${prompt.slice(0, 120)}`}
        className="absolute inset-0 z-0"
      />
      <div className="pointer-events-none relative z-10 flex items-center gap-2">
        <span className="w-7 shrink-0 text-right tabular-nums text-text-3">{number}</span>
        <StatusIcon turn={turn} running={running} />
        <span className={cn('min-w-0 flex-1 truncate', !turn.prompt.preview.trim() && 'text-text-3 italic')}><Masked text={prompt.replace(/\s+/g, ' ')} /></span>
        {turn.steers ? <span className="shrink-0 text-small text-text-3">+{turn.steers} steered</span> : null}
        <span className="pointer-events-auto shrink-0 tabular-nums text-text-2" data-tip={`Started ${absolute(turn.startedAt)}`}>
          {running ? <Ticking since={turn.startedAt} /> : turn.totals.clocks.wallMs > 0 ? duration(turn.totals.clocks.wallMs) : '—'}
        </span>
      </div>
      <Chips turn={turn} />
      {running && (
        <span aria-hidden className="absolute inset-x-0 bottom-0 h-px overflow-hidden">
          <span className="block h-full w-1/4 animate-slide bg-running motion-reduce:w-full motion-reduce:animate-none" />
        </span>
      )}
    </div>
  )
})

function Ticking({ since }: { since: number }) {
  return <span className="text-running">{elapsed(useNow(1000) - since)}</span>
}

function Chips({ turn }: { turn: Turn }) {
  const failed = turn.totals.failedCalls + turn.totals.errors
  const flags = flagCounts(turn.flags)
  // A failure that a flag explains is not said twice.
  const unexplained = failed > 0 && !flags.some((f) => f.kind === 'fail')
  return (
    <div className="pointer-events-none relative z-10 mt-0.5 flex h-5 items-center gap-3 pl-[58px] text-small tabular-nums">
      <span className="flex min-w-0 flex-1 gap-3 overflow-hidden mask-r-from-[calc(100%-14px)] [&>*]:pointer-events-auto [&>*]:shrink-0">
        {categoryNames.map((name) => {
          const count = turn.calls?.[name] ?? 0
          if (count === 0) return null
          const look = categories[name]
          return (
            <span key={name} className={cn('flex items-center gap-1', look.text)} data-tip={`${look.label}: ${plural(count, 'call')}`}>
              <look.icon size={13} aria-hidden />
              <span className="sr-only">{look.label}</span>
              {compact(count)}
            </span>
          )
        })}
        {turn.totals.calls === 0 && <span className="text-text-3">no calls</span>}
      </span>
      <span className="flex max-w-[78%] shrink-0 gap-2.5 overflow-hidden [&>*]:pointer-events-auto [&>*]:shrink-0">
        {unexplained && (
          <span className="text-fail" data-tip={`${plural(turn.totals.failedCalls, 'failed call')}, ${plural(turn.totals.errors, 'other error')}`}>
            {plural(failed, 'error')}
          </span>
        )}
        {flags.map((f) => (
          <FlagChip key={f.kind} kind={f.kind} count={f.count} reasons={f.reasons} className={f.kind === 'fanout' ? '@max-md:hidden' : undefined} />
        ))}
      </span>
    </div>
  )
}

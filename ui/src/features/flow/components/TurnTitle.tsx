import type { Turn } from '@/api/types'
import { duration, plural } from '@/lib/format'

export function TurnTitle({ index, turn }: { index: number; turn: Turn | undefined }) {
  const t = turn?.totals
  return (
    <h2 className="mr-2 flex min-w-0 items-baseline gap-2 pl-1 whitespace-nowrap">
      <span className="font-semibold">Turn {index + 1}</span>
      {t && (
        <span className="min-w-0 truncate text-small tabular-nums text-text-3">
          {[turn.rewound ? 'taken back' : '', t.clocks.wallMs > 0 ? duration(t.clocks.wallMs) : '', plural(t.roundTrips, 'round trip'), plural(t.calls, 'call')].filter(Boolean).join(' · ')}
        </span>
      )}
    </h2>
  )
}

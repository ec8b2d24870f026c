import type { Turn } from '@/api/types'
import { FlagChip } from '@/components/FlagChip'
import { flagCounts } from '@/components/flags'
import { Masked } from '@/components/Masked'
import { StatusIcon, statusLabel } from '@/components/StatusIcon'
import { cn } from '@/lib/cn'
import { whyOf } from '../model'
import { OpenInLive, columns } from './RowView'

/** How a turn ended, where that is not as it should be, and why; Live tells the rest. */
export function TurnOutcome({ turn }: { turn: Turn }) {
  const failed = turn.status === 'failed'
  const why = whyOf(turn)
  return (
    <div className={columns}>
      <div role="note" aria-label={`Outcome of turn ${turn.index + 1}`} className="col-start-2 mt-1 flex min-w-0 gap-2 px-1 py-1 text-small max-lg:col-start-1">
        <StatusIcon turn={turn} running={false} size={14} />
        <div className="flex min-w-0 flex-1 flex-wrap gap-x-3">
          <span className={cn('whitespace-nowrap', failed ? 'text-fail' : 'text-text-2')}>
            Turn {turn.index + 1} {statusLabel(turn, false)}
          </span>
          {flagCounts(turn.flags).map((f) => (
            <FlagChip key={f.kind} kind={f.kind} count={f.count} reasons={f.reasons} />
          ))}
          {why && (
            <p className="order-last line-clamp-4 w-full break-words text-text-2">
              <Masked text={why} />
            </p>
          )}
        </div>
        <OpenInLive turn={turn.index} />
      </div>
    </div>
  )
}

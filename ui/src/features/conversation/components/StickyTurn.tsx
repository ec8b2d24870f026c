import { useSetSearch } from '../use-conversation'
import type { Row, Woven } from '../model'
import { promptOf } from '../model'
import { OpenInLive, columns } from './RowView'

/** The turn that is being read, always in sight. */
export function StickyTurn({ rows, messages, at }: { rows: Row[]; messages: Woven[]; at: number }) {
  const set = useSetSearch()
  const row = rows[at]
  // Where its header is in sight, it needs no bar.
  const turn = !row || row.kind === 'turn' ? -1 : row.kind === 'outcome' ? row.turn.index : row.message.turn
  if (turn < 0) return null
  const start = messages.find((m) => m.turn === turn)
  return (
    <div className="absolute inset-x-0 top-0 z-10 border-b bg-page">
      <div className={columns}>
        <div className="col-start-2 flex h-[31px] items-center gap-3 text-small text-text-3 max-lg:col-start-1">
          <button type="button" onClick={() => start && set({ line: start.line })} data-tip="To the beginning of the turn" className="flex min-w-0 flex-1 items-center gap-2 rounded-sm text-left hover:text-text">
            <span className="shrink-0 font-semibold text-text-2">Turn {turn + 1}</span>
            <span className="truncate">{promptOf(messages, turn)}</span>
          </button>
          <OpenInLive turn={turn} />
        </div>
      </div>
    </div>
  )
}

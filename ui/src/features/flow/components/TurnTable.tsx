import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { Turn } from '@/api/types'
import { flagLooks } from '@/components/flags'
import { cn } from '@/lib/cn'
import { duration, measured } from '@/lib/format'
import { totalOf } from '@/lib/tokens'

const ROW_PX = 28

interface Props {
  turns: Turn[]
  shown: number
  onTurn: (index: number) => void
}

/** The map as a table. Rows far from the window are not in the page; their count is told to screen readers. */
export function TurnTable({ turns, shown, onTurn }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are not memoised here
  const list = useVirtualizer({ count: turns.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, overscan: 20 })
  const at = turns.findIndex((t) => t.index === shown)
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at, { align: 'auto' })
  }, [at, list])
  const items = list.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = list.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div ref={scroller} className="h-full overflow-auto" tabIndex={0} role="region" aria-label="Table of turns">
      <table className="w-full border-collapse text-left" aria-rowcount={turns.length + 1}>
        <caption className="sr-only">Turns of the session</caption>
        <thead className="sticky top-0 z-10 bg-panel text-small text-text-3">
          <tr aria-rowindex={1} className="border-b [&_th]:px-2 [&_th]:py-1 [&_th]:font-normal">
            <th scope="col">Turn</th>
            <th scope="col">Prompt</th>
            <th scope="col">Status</th>
            <th scope="col" className="text-right">
              Calls
            </th>
            <th scope="col" className="text-right">
              Failed
            </th>
            <th scope="col" className="text-right">
              Tokens
            </th>
            <th scope="col" className="text-right">
              Took
            </th>
            <th scope="col">Flags</th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden style={{ height: above }} />}
          {items.map((item) => (
            <TurnRow key={turns[item.index]!.index} row={item.index + 2} turn={turns[item.index]!} selected={item.index === at} onTurn={onTurn} />
          ))}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  )
}

function TurnRow({ row, turn, selected, onTurn }: { row: number; turn: Turn; selected: boolean; onTurn: (index: number) => void }) {
  const t = turn.totals
  return (
    <tr aria-rowindex={row} aria-current={selected || undefined} style={{ height: ROW_PX }} className={cn('border-b hover:bg-hover [&_td]:px-2', selected && 'bg-selected')} onClick={() => onTurn(turn.index)}>
      <th scope="row" className="px-2 font-normal tabular-nums">
        <button type="button" className="text-accent hover:underline" aria-label={`Turn ${turn.index + 1}`} onClick={() => onTurn(turn.index)}>
          {turn.index + 1}
        </button>
      </th>
      <td className="w-full max-w-0 min-w-44 truncate">{turn.prompt.preview}</td>
      <td className={turn.status === 'failed' ? 'text-fail' : 'text-text-2'}>{turn.rewound ? `${turn.status}, taken back` : turn.status}</td>
      <td className="text-right tabular-nums">{t.calls}</td>
      <td className={cn('text-right tabular-nums', t.failedCalls > 0 ? 'text-fail' : 'text-text-3')}>{t.failedCalls}</td>
      <td className="text-right whitespace-nowrap tabular-nums">{measured(totalOf(t.tokens))}</td>
      <td className="text-right whitespace-nowrap tabular-nums">{t.clocks.wallMs > 0 ? duration(t.clocks.wallMs) : '—'}</td>
      <td className="whitespace-nowrap text-warn">{[...new Set(turn.flags.map((f) => flagLooks[f.kind].label))].join(', ')}</td>
    </tr>
  )
}

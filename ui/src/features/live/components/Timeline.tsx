import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Session, Turn } from '@/api/types'
import { isRunning } from '../model'
import { TurnRow } from './TurnRow'

/** Every row is as high as every other, so that nothing that arrives can push what is read. */
const ROW_PX = 56

interface Props {
  session: Session
  rows: Turn[]
  shown: number | undefined
  pinned: boolean
}

export function Timeline({ session, rows, shown, pinned }: Props) {
  const scroller = useAnchored(rows)
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are not memoised here
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (i) => rows[i]!.index,
    overscan: 12,
  })

  const at = rows.findIndex((t) => t.index === shown)
  const known = useRef<string>(undefined)
  useEffect(() => {
    // A choice moves the list; a turn that arrives does not.
    const choice = pinned ? 'latest' : String(shown)
    if (choice === known.current || at < 0) return
    if (pinned && known.current !== undefined) list.scrollToOffset(0)
    else if (!pinned) list.scrollToIndex(at, { align: 'auto' })
    known.current = choice
  }, [shown, pinned, at, list])

  return (
    <div ref={scroller} tabIndex={0} role="region" aria-label="List of turns" className="h-full overflow-y-auto [overflow-anchor:none]">
      <ol className="relative w-full" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => {
          const turn = rows[item.index]!
          return (
            <li key={item.key} className="absolute inset-x-0 top-0" style={{ height: ROW_PX, transform: `translateY(${item.start}px)` }}>
              <TurnRow turn={turn} selected={turn.index === shown} running={isRunning(turn, session)} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

/**
 * The element that scrolls rows. It keeps the turn at the top of the window where it is while rows come and go above it,
 * unless the list is at its top.
 */
function useAnchored(rows: Turn[]): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null)
  const before = useRef(rows)
  useLayoutEffect(() => {
    const el = scroller.current
    const old = before.current
    before.current = rows
    if (!el || old === rows || el.scrollTop < ROW_PX / 2) return
    const row = Math.floor(el.scrollTop / ROW_PX)
    const anchor = old[row]
    const now = anchor ? rows.findIndex((t) => t.index === anchor.index) : -1
    if (now >= 0 && now !== row) el.scrollTop += (now - row) * ROW_PX
  }, [rows])
  return scroller
}

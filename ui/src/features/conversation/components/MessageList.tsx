import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { ConversationWindow } from '@/api/conversation'
import type { Turn } from '@/api/types'
import { useConversation } from '../context'
import type { Row, Woven } from '../model'
import { estimateRow, rowAtLine } from '../model'
import { useConversationSearch, useSetSearch } from '../use-conversation'
import { useHighlights } from '../use-highlights'
import type { WindowControl } from '../use-window'
import { EdgeOfLog, NowLine } from './Edges'
import { NewMessages } from './NewMessages'
import { MessageView, TurnHeader } from './RowView'
import { StickyTurn } from './StickyTurn'
import { TurnOutcome } from './TurnOutcome'
import '../find.css'

interface Props {
  w: ConversationWindow
  messages: Woven[]
  rows: Row[]
  turns: Turn[] // those of the messages, as far as they are known
  models: ReadonlySet<string> // messages that name their model
  control: WindowControl
  ends: number // how often the end was asked for
}

const TOP_PX = 72 // the turn's bar, and where the log begins
const BOTTOM_PX = 64
const BAR_PX = 32
const AT_END_PX = 48
const AHEAD = 8 // rows from the edge at which more are asked for

/** The messages, newest at the bottom. What is read stays where it is, whatever comes in above or below. */
export function MessageList({ w, messages, rows, turns, models, control, ends }: Props) {
  const { line, find } = useConversationSearch()
  const set = useSetSearch()
  const { whole } = useConversation()
  const scroller = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const [seen, setSeen] = useState(w.lastLine)
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are not memoised here
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => estimateRow(rows[i]!, whole),
    getItemKey: (i) => rows[i]!.key,
    anchorTo: 'end',
    followOnAppend: !w.hasNewer,
    scrollEndThreshold: AT_END_PX,
    paddingStart: TOP_PX,
    paddingEnd: BOTTOM_PX,
    scrollPaddingStart: BAR_PX + 8,
    scrollPaddingEnd: 24,
    overscan: 6,
  })

  // What is at the end has been seen.
  if (atEnd && !w.hasNewer && seen !== w.lastLine) setSeen(w.lastLine)

  const shown = useRef<number | 'end'>(undefined)
  useLayoutEffect(() => {
    // A choice moves the list; messages that arrive do not.
    const choice = line ?? 'end'
    if (choice === shown.current) return
    const first = shown.current === undefined
    if (line === undefined) {
      if (first) list.scrollToEnd()
    } else {
      if (line < w.firstLine || line > w.lastLine) return // it is being loaded
      const row = rowAtLine(rows, line)
      if (row < 0) return
      list.scrollToIndex(row, { align: first ? 'center' : 'auto' })
    }
    shown.current = choice
  }, [line, rows, w.firstLine, w.lastLine, list])

  // Who is at the end stays there, also when a row comes in above, such as how an earlier turn went, or there is less room.
  const follows = atEnd && !w.hasNewer && line === undefined
  useLayoutEffect(() => {
    const el = scroller.current!
    if (!follows) return
    const observer = new ResizeObserver(() => list.scrollToEnd())
    observer.observe(el)
    observer.observe(el.firstElementChild!)
    return () => observer.disconnect()
  }, [follows, list])

  const ended = useRef(ends)
  useLayoutEffect(() => {
    if (ended.current !== ends) list.scrollToEnd()
    ended.current = ends
  }, [ends, list])

  // A list that is mounted again begins anew.
  useLayoutEffect(() => () => void (shown.current = undefined), [])

  const chosen = line === undefined ? undefined : rows[rowAtLine(rows, line)]?.key
  const items = list.getVirtualItems()
  const top = items[0]?.index ?? 0
  const bottom = items.at(-1)?.index ?? 0
  useLayoutEffect(() => {
    if (control.loading || control.failed || items.length === 0) return
    if (w.hasOlder && top < AHEAD) void control.older()
    else if (w.hasNewer && bottom > rows.length - AHEAD) void control.newer()
  })
  useHighlights(scroller, find ?? '', chosen)

  function onScroll(): void {
    const el = scroller.current!
    setAtEnd(el.scrollHeight - el.scrollTop - el.clientHeight <= AT_END_PX)
  }
  async function toEnd(): Promise<void> {
    if (w.hasNewer) await control.open(undefined)
    set({ line: undefined })
    list.scrollToEnd()
  }
  const offset = (list.scrollOffset ?? 0) + BAR_PX
  const firstRow = items.find((item) => item.end > offset)?.index ?? 0
  const unseen = messages.filter((m) => m.line > seen && m.kind !== 'result').length

  return (
    <div className="relative min-h-0 flex-1">
      <StickyTurn rows={rows} messages={messages} at={firstRow} />
      <div ref={scroller} tabIndex={0} role="region" aria-label="Messages" onScroll={onScroll} className="h-full overflow-y-auto [overflow-anchor:none]">
        <ol className="relative w-full" style={{ height: list.getTotalSize() }}>
          <EdgeOfLog w={w} control={control} top={BAR_PX} height={TOP_PX - BAR_PX} />
          {items.map((item) => {
            const row = rows[item.index]!
            return (
              <li key={item.key} data-index={item.index} ref={list.measureElement} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${item.start}px)` }}>
                {row.kind === 'turn' ? (
                  <TurnHeader turn={row.turn} at={row.at} rewound={row.rewound} known={turns.find((t) => t.index === row.turn)} />
                ) : row.kind === 'outcome' ? (
                  <TurnOutcome turn={row.turn} />
                ) : (
                  <MessageView row={row} showModel={models.has(row.key)} chosen={row.key === chosen} onChoose={() => set({ line: row.message.line })} />
                )}
              </li>
            )
          })}
          <NowLine w={w} height={BOTTOM_PX} />
        </ol>
      </div>
      {(!atEnd || w.hasNewer) && <NewMessages unseen={unseen} onClick={() => void toEnd()} />}
    </div>
  )
}

import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { Wrench } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Session, Turn } from '@/api/types'
import { Notice } from '@/components/Notice'
import { Button } from '@/components/ui/button'
import { useNow } from '@/hooks/use-now'
import { setPrefs, usePrefs } from '@/lib/prefs'
import type { Row } from '../calls'
import { byCategory, inOrder } from '../calls'
import { useLiveSearch, useSetSearch } from '../use-live'
import { CallRow, preloadCallBody } from './CallRow'
import { GroupRow, HooksRow } from './GroupRow'
import { MarkerLine } from './Markers'

const ROW_PX = 28
const BOTTOM_PX = 40

interface Props {
  session: Session
  turn: Turn
  running: boolean
}

/** All calls of the turn; 5,000 of them cost no more than fifty. */
export function CallsTab({ session, turn, running }: Props) {
  const { callsView } = usePrefs()
  useEffect(preloadCallBody, [])
  const rows = useMemo(() => (callsView === 'category' ? byCategory(turn) : inOrder(turn)), [callsView, turn])
  if (rows.length === 0) {
    return (
      <Notice icon={Wrench} title="No calls">
        {running ? 'The model has not asked for a tool yet.' : 'The model answered this turn without a tool.'}
      </Notice>
    )
  }
  return (
    <>
      <div role="group" aria-label="Order of the calls" className="flex h-8 shrink-0 items-center gap-1 border-b px-2.5">
        {(['order', 'category'] as const).map((view) => (
          <Button key={view} size="tiny" aria-pressed={callsView === view} className="px-1.5 aria-pressed:bg-selected aria-pressed:text-text" onClick={() => setPrefs({ callsView: view })}>
            {view === 'order' ? 'In order' : 'By category'}
          </Button>
        ))}
      </div>
      <CallList key={callsView} session={session} turn={turn} rows={rows} running={running} />
    </>
  )
}

function CallList({ session, turn, rows, running }: Props & { rows: Row[] }) {
  const { call: chosen } = useLiveSearch()
  const set = useSetSearch()
  const scroller = useStickToBottom(running && chosen === undefined, rows.length)
  const [opened, setOpened] = useState<ReadonlySet<number>>(() => new Set())
  const now = useNow(running ? 1000 : 0)
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are not memoised here
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (i) => rows[i]!.key,
    overscan: 10,
  })

  const at = chosen === undefined ? -1 : rows.findIndex((r) => r.kind === 'call' && r.call.seq === chosen)
  const went = useRef<number>(undefined)
  useEffect(() => {
    if (at < 0 || went.current === chosen) return
    went.current = chosen
    list.scrollToIndex(at, { align: 'start' })
  }, [at, chosen, list])

  const isOpen = (seq: number) => (seq === chosen) !== opened.has(seq)
  function toggle(seq: number): void {
    // The chosen call is open unless it was closed by hand; the others are closed unless opened.
    if (!isOpen(seq) && seq !== chosen) {
      went.current = seq
      set({ turn: turn.index + 1, call: seq })
      if (chosen !== undefined) setOpened((old) => withToggled(old, chosen, isOpen(chosen)))
      return
    }
    setOpened((old) => withToggled(old, seq, !old.has(seq)))
  }
  return (
    <div ref={scroller} tabIndex={0} role="region" aria-label="List of calls" className="@container min-h-0 flex-1 overflow-y-auto">
      <ol className="relative w-full" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => {
          const row = rows[item.index]!
          return (
            <li key={item.key} data-index={item.index} ref={list.measureElement} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${item.start}px)` }}>
              {row.kind === 'call' && (
                <CallRow session={session} turn={turn} call={row.call} lane={row.lane} now={now} open={isOpen(row.call.seq)} chosen={row.call.seq === chosen} onToggle={() => toggle(row.call.seq)} />
              )}
              {row.kind === 'marker' && (
                <div className="border-b bg-panel pr-4 pl-[34px]">
                  <MarkerLine marker={row.marker} />
                </div>
              )}
              {row.kind === 'hooks' && <HooksRow markers={row.markers} />}
              {row.kind === 'group' && <GroupRow row={row} />}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function withToggled(set: ReadonlySet<number>, seq: number, on: boolean): Set<number> {
  const next = new Set(set)
  if (on) next.add(seq)
  else next.delete(seq)
  return next
}

/** The element that scrolls a list that grows: it follows while its end is in sight, and stays otherwise. */
function useStickToBottom(on: boolean, count: number): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null)
  const stuck = useRef(true)
  useEffect(() => {
    const el = scroller.current
    if (!el) return
    const onScroll = (): void => {
      stuck.current = el.scrollHeight - el.scrollTop - el.clientHeight < BOTTOM_PX
    }
    el.addEventListener('scroll', onScroll, { passive: true })
    return () => el.removeEventListener('scroll', onScroll)
  }, [])
  useEffect(() => {
    const el = scroller.current
    if (el && on && stuck.current) el.scrollTop = el.scrollHeight
  }, [on, count])
  return scroller
}

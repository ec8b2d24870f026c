import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronRight, MessagesSquare } from 'lucide-react'
import { useRef, useState } from 'react'
import type { RoundTrip, Session, Turn } from '@/api/types'
import { Notice } from '@/components/Notice'
import { Measured } from '@/components/Sourced'
import { cn } from '@/lib/cn'
import { absolute, duration } from '@/lib/format'
import { contextOf } from '@/lib/tokens'
import { RoundTripBody } from './RoundTripBody'

const ROW_PX = 28
const columns = 'tabular-nums grid grid-cols-[14px_32px_minmax(72px,1fr)_repeat(4,minmax(52px,72px))_64px] items-center gap-2 @max-lg:grid-cols-[14px_28px_minmax(60px,1fr)_60px_52px_56px]'

/** What the model was asked and what it said, response by response. */
export function ModelTab({ session, turn }: { session: Session; turn: Turn }) {
  const trips = turn.roundTrips ?? []
  const scroller = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set())
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are not memoised here
  const list = useVirtualizer({
    count: trips.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (i) => trips[i]!.seq,
    overscan: 10,
  })
  if (trips.length === 0) {
    return (
      <Notice icon={MessagesSquare} title="No round trip">
        The model has not answered in this turn.
      </Notice>
    )
  }
  function toggle(seq: number): void {
    setOpen((old) => new Set(old.has(seq) ? [...old].filter((s) => s !== seq) : [...old, seq]))
  }
  return (
    <div ref={scroller} tabIndex={0} role="region" aria-label="Round trips" className="@container min-h-0 flex-1 overflow-y-auto">
      <div className={cn(columns, 'sticky top-0 z-10 h-7 border-b bg-page px-3 text-small text-text-3')}>
        <span className="col-start-2">#</span>
        <span>Stopped by</span>
        <span className="text-right" data-tip="Everything that the model read: new input, cache reads and cache writes">
          Read
        </span>
        <span className="text-right @max-lg:hidden" data-tip="Of which it came from the cache">
          Cached
        </span>
        <span className="text-right">Wrote</span>
        <span className="text-right @max-lg:hidden" data-tip="Part of what it wrote">
          Reasoning
        </span>
        <span className="text-right">Time</span>
      </div>
      <h3 className="sr-only">Round trips</h3>
      <ol className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => {
          const trip = trips[item.index]!
          return (
            <li key={item.key} data-index={item.index} ref={list.measureElement} className="absolute inset-x-0 top-0 border-b" style={{ transform: `translateY(${item.start}px)` }}>
              <Trip trip={trip} number={item.index + 1} open={open.has(trip.seq)} onToggle={() => toggle(trip.seq)} />
              {open.has(trip.seq) && <RoundTripBody session={session} turn={turn} trip={trip} />}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function Trip({ trip, number, open, onToggle }: { trip: RoundTrip; number: number; open: boolean; onToggle: () => void }) {
  const ms = trip.startedAt > 0 && trip.endedAt > 0 ? trip.endedAt - trip.startedAt : -1
  const t = trip.tokens
  return (
    <div className={cn(columns, 'relative h-[27px] px-3 hover:bg-hover', (trip.inherited || trip.duplicateOf) && 'opacity-60')}>
      <button type="button" aria-expanded={open} aria-label={`Round trip ${number}`} className="absolute inset-0" onClick={onToggle} />
      <ChevronRight size={14} aria-hidden className={cn('pointer-events-none text-text-3 transition-transform duration-100', open && 'rotate-90')} />
      <span className="text-text-3">{number}</span>
      <span className="truncate text-text-2">
        {trip.stopReason || '—'}
        {trip.calls > 0 && ` · ${trip.calls}×`}
        {trip.redacted && ' · redacted'}
      </span>
      <Measured m={contextOf(t)} what="Read" at={trip.ref} className="relative text-right" />
      <Measured m={t.cacheRead} what="Read from cache" at={trip.ref} className="relative text-right text-text-2 @max-lg:hidden" />
      <Measured m={t.output} what="Wrote" at={trip.ref} className="relative text-right" />
      <Measured m={t.reasoning} what="Reasoning" at={trip.ref} className="relative text-right text-text-2 @max-lg:hidden" />
      <span className="relative text-right text-text-2" data-tip={ms < 0 ? 'The log does not say how long it took.' : `Asked ${absolute(trip.startedAt)}`}>
        {ms < 0 ? '—' : duration(ms)}
      </span>
    </div>
  )
}

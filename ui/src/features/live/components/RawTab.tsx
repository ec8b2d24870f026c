import { useVirtualizer } from '@tanstack/react-virtual'
import { FileQuestion } from 'lucide-react'
import { useMemo, useRef } from 'react'
import type { Session, Turn } from '@/api/types'
import { CopyButton } from '@/components/CopyButton'
import { Notice } from '@/components/Notice'
import { bytes, whole } from '@/lib/format'
import { rawOf } from '@/lib/raw'
import { recordsOf } from '../records'
import { useSetSearch } from '../use-live'

const ROW_PX = 28

/** The records of the log that make up the turn, in their order; a click shows one as it stands there. */
export function RawTab({ session, turn }: { session: Session; turn: Turn }) {
  const records = useMemo(() => recordsOf(turn), [turn])
  const scroller = useRef<HTMLDivElement>(null)
  const set = useSetSearch()
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are not memoised here
  const list = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (i) => records[i]!.ref.offset,
    overscan: 10,
  })
  if (records.length === 0) {
    return (
      <Notice icon={FileQuestion} title="No records">
        The log does not say where this turn was read.
      </Notice>
    )
  }
  return (
    <>
      <p className="flex h-8 shrink-0 items-center gap-1 border-b px-4 font-mono text-code text-text-3">
        <span className="min-w-0 truncate" data-tip={session.path}>
          {session.path}
        </span>
        <CopyButton text={session.path} what="the log’s path" />
        {session.gone && <span className="ml-auto shrink-0 font-sans text-warn">no longer there</span>}
      </p>
      <div ref={scroller} tabIndex={0} role="region" aria-label="Records" className="min-h-0 flex-1 overflow-y-auto">
        <ol className="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map((item) => {
            const record = records[item.index]!
            return (
              <li key={item.key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${item.start}px)` }}>
                <button type="button" className="flex h-7 w-full items-center gap-3 border-b px-4 text-left hover:bg-hover" onClick={() => set({ raw: rawOf(record.ref) }, true)}>
                  <span className="w-16 shrink-0 text-right font-mono text-code text-text-3">{record.ref.line > 0 ? whole(record.ref.line) : `@${whole(record.ref.offset)}`}</span>
                  <span className="min-w-0 flex-1 truncate">{record.what.join(' · ')}</span>
                  <span className="text-text-3">{bytes(record.ref.length)}</span>
                </button>
              </li>
            )
          })}
        </ol>
      </div>
    </>
  )
}

import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent } from 'react'
import { useEffect, useMemo, useRef } from 'react'
import type { FlowNode } from '@/api/flow'
import type { FlagKind } from '@/api/types'
import { categories } from '@/components/categories'
import { useNow } from '@/hooks/use-now'
import { cn } from '@/lib/cn'
import { duration } from '@/lib/format'
import type { Bar, Swimlane, Waterfall } from './waterfall'
import { swimlanes, ticksOf, waterfallOf } from './waterfall'
import { lookOf, nameOf, spokenOf, stateOf, summaryOf, tipOf, tookOf } from './words'

const ROW_PX = 26
const MOST_TICKS = 8

interface Props {
  label: string
  nodes: FlowNode[]
  flag: FlagKind | undefined
  pinned: string | undefined
  onPin: (id: string | undefined) => void
}

/** A turn by time: four lanes of what ran when, and a row per node below. */
export function WaterfallView({ label, nodes, flag, pinned, onPin }: Props) {
  const running = nodes.some((n) => n.status === 'pending')
  const now = useNow(running ? 1000 : 0)
  const fall = useMemo(() => waterfallOf(nodes, now), [nodes, now])
  const scroller = useRef<HTMLDivElement>(null)
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are not memoised here
  const list = useVirtualizer({ count: fall.rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, getItemKey: (i) => fall.rows[i]!.node.id, overscan: 10 })
  const at = fall.rows.findIndex((row) => row.node.id === pinned)
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at, { align: 'auto' })
  }, [at, list])

  function onKeyDown(event: KeyboardEvent): void {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const to = Math.min(Math.max(at + by, 0), fall.rows.length - 1)
    onPin(fall.rows[to]?.node.id)
    list.scrollToIndex(to, { align: 'auto' })
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus())
  }
  return (
    <div className="flex h-full min-h-0 flex-col" role="group" aria-label={label} onKeyDown={onKeyDown}>
      <Swimlanes fall={fall} onPin={onPin} />
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
        <ol className="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map((item) => (
            <li key={item.key} className="absolute inset-x-0 top-0" style={{ height: ROW_PX, transform: `translateY(${item.start}px)` }}>
              <Row
                bar={fall.rows[item.index]!}
                total={fall.total}
                index={item.index}
                pinned={item.index === at}
                tabbable={at < 0 ? item.index === 0 : item.index === at}
                dim={flag !== undefined && !fall.rows[item.index]!.node.flags.includes(flag)}
                onPin={onPin}
              />
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

const laneFills: Record<Swimlane, string> = { model: 'bg-accent', tools: 'bg-cat-file', hooks: 'bg-cat-other', waiting: 'bg-warn' }
const laneLabels: Record<Swimlane, string> = { model: 'Model', tools: 'Tools', hooks: 'Hooks', waiting: 'Waiting' }

function share(ms: number, total: number): string {
  return `${total > 0 ? Math.min(100, (ms / total) * 100) : 0}%`
}

function Swimlanes({ fall, onPin }: { fall: Waterfall; onPin: Props['onPin'] }) {
  return (
    <div className="flex shrink-0 border-b bg-panel pt-1 pb-1.5">
      <div className="w-[42%] max-w-80 shrink-0 pt-5 pl-3">
        {swimlanes.map((lane) => (
          <p key={lane} className="flex h-4 items-center gap-1.5 text-small text-text-2">
            <span aria-hidden className={cn('size-2 rounded-[2px]', laneFills[lane])} />
            {laneLabels[lane]}
            {fall.lanes[lane].length === 0 && <span className="text-text-3">none</span>}
          </p>
        ))}
      </div>
      <div className="relative mr-3 min-w-0 flex-1">
        <div aria-hidden className="relative h-5 text-small text-text-3">
          {ticksOf(fall.total, MOST_TICKS).map((t) => (
            <span key={t} className="absolute top-0 -translate-x-1/2 whitespace-nowrap tabular-nums first:translate-x-0" style={{ left: share(t, fall.total) }}>
              {t === 0 ? '0' : duration(t)}
            </span>
          ))}
        </div>
        {swimlanes.map((lane) => (
          <div key={lane} className="relative my-1 h-3 rounded-[2px] bg-raised">
            {fall.lanes[lane].map((bar, i) => (
              <span
                key={i}
                aria-hidden
                data-tip={tipOf(bar.node)}
                onClick={() => onPin(bar.node.id)}
                className={cn('absolute inset-y-0 min-w-[2px] rounded-[2px]', bar.node.status === 'fail' ? 'bg-fail' : laneFills[lane])}
                style={{ left: share(bar.from, fall.total), width: share(bar.to - bar.from, fall.total) }}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

interface RowProps {
  bar: Bar
  total: number
  index: number
  pinned: boolean
  tabbable: boolean
  dim: boolean
  onPin: Props['onPin']
}

function Row({ bar, total, index, pinned, tabbable, dim, onPin }: RowProps) {
  const { node } = bar
  const look = lookOf(node)
  const Icon = look.icon
  const indent = (node.lane ? 16 : 0) + (node.kind === 'tool' ? 12 : node.kind === 'hook' ? 24 : 0)
  return (
    <button
      type="button"
      data-row={index}
      data-tip={tipOf(node)}
      aria-pressed={pinned}
      tabIndex={tabbable ? 0 : -1}
      onClick={() => onPin(pinned ? undefined : node.id)}
      className={cn('flex h-full w-full items-center text-left hover:bg-hover', pinned && 'bg-selected', dim && 'text-text-3')}
    >
      <span className="sr-only">{spokenOf(node)}</span>
      <span aria-hidden className="flex w-[42%] max-w-80 shrink-0 items-center gap-1.5 pr-2 pl-3" style={{ paddingLeft: 12 + indent }}>
        <Icon size={13} aria-hidden className={cn('shrink-0', dim ? 'text-text-3' : look.tone)} />
        <span className="shrink-0">{nameOf(node)}</span>
        <span className="min-w-0 flex-1 truncate text-small text-text-3">{summaryOf(node)}</span>
      </span>
      <span aria-hidden className="relative mr-3 h-full min-w-0 flex-1">
        {bar.from < 0 ? (
          <span className="text-small text-text-3">no time in the log</span>
        ) : (
          <Stripe bar={bar} total={total} />
        )}
      </span>
    </button>
  )
}

function fillOf(node: FlowNode): string {
  if (node.status === 'fail') return 'bg-fail'
  if (node.kind === 'tool') return categories[node.category ?? 'other'].fill
  return node.kind === 'assistant' || node.kind === 'prompt' ? 'bg-accent' : node.kind === 'hook' ? 'bg-cat-other' : 'bg-warn'
}

function Stripe({ bar, total }: { bar: Bar; total: number }) {
  const late = total > 0 && bar.to / total > 0.75
  return (
    <>
      {bar.wait > 0 && <span aria-hidden className="absolute inset-y-2 rounded-[2px] bg-warn" style={{ left: share(bar.from, total), width: share(bar.wait, total) }} />}
      <span
        aria-hidden
        className={cn('absolute inset-y-2 min-w-[3px] rounded-[2px]', fillOf(bar.node), bar.node.status === 'pending' && 'animate-breathe')}
        style={{ left: `min(${share(bar.from + bar.wait, total)}, calc(100% - 3px))`, width: share(bar.to - bar.from - bar.wait, total) }}
      />
      <span
        className={cn('absolute inset-y-0 flex items-center px-1.5 text-small whitespace-nowrap tabular-nums', bar.node.status === 'fail' ? 'text-fail' : 'text-text-3')}
        style={late ? { right: `calc(100% - ${share(bar.from, total)})` } : { left: share(bar.to, total) }}
      >
        {[stateOf(bar.node), tookOf(bar.node)].filter(Boolean).join(' · ')}
      </span>
    </>
  )
}

import { useVirtualizer } from '@tanstack/react-virtual'
import { Link } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { InsightSession } from '@/api/types'
import { AgentGlyph, agentLabel } from '@/components/AgentGlyph'
import { flagLooks } from '@/components/flags'
import { cn } from '@/lib/cn'
import { share, valueText } from '@/lib/delta'
import { UNKNOWN, absolute, ago, duration, measured, usd, whole } from '@/lib/format'
import { useNow } from '@/hooks/use-now'
import { sorted } from '../model'
import type { Sort, SortKey } from '../model'
import { nameOf } from '../names'
import { Column } from './Column'

const ROW_PX = 40
const columns: { key: SortKey; name: string; className: string }[] = [
  { key: 'lastAt', name: 'Last', className: 'w-24' },
  { key: 'turns', name: 'Turns', className: 'w-16' },
  { key: 'calls', name: 'Calls', className: 'w-18' },
  { key: 'failRate', name: 'Failed', className: 'w-18' },
  { key: 'flags', name: 'Flags', className: 'w-16' },
  { key: 'tokens', name: 'Tokens', className: 'w-22' },
  { key: 'cacheHitRate', name: 'Cache hits', className: 'w-24' },
  { key: 'cost', name: 'Cost', className: 'w-22' },
  { key: 'wall', name: 'Time', className: 'w-24' },
]

/** Every session, to be sorted by any column; only the rows in sight are drawn. */
export function SessionTable({ sessions }: { sessions: InsightSession[] }) {
  const [sort, setSort] = useState<Sort>({ by: 'lastAt', down: true })
  const rows = useMemo(() => sorted(sessions, sort), [sessions, sort])
  const scroller = useRef<HTMLDivElement>(null)
  const now = useNow(60_000)
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are not memoised here
  const list = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, getItemKey: (i) => rows[i]!.id, overscan: 8 })
  const items = list.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = list.getTotalSize() - (items.at(-1)?.end ?? 0)
  const by = (key: SortKey) => setSort((old) => ({ by: key, down: old.by === key ? !old.down : key !== 'title' }))
  const order = (key: SortKey) => (sort.by !== key ? undefined : sort.down ? 'descending' : 'ascending')
  return (
    <div ref={scroller} tabIndex={0} role="region" aria-label="Sessions" className="relative max-h-[520px] overflow-auto border-t [overflow-anchor:none]">
      <table aria-rowcount={rows.length + 1} className="w-full min-w-[60rem] table-fixed tabular-nums">
        <thead className="sticky top-0 z-10 bg-panel text-small">
          <tr className="shadow-[inset_0_-1px_0_var(--line)]">
            <Column name="Session" left sorted={order('title')} onSort={() => by('title')} />
            {columns.map((c) => (
              <Column key={c.key} name={c.name} className={c.className} sorted={order(c.key)} onSort={() => by(c.key)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map((item) => (
            <Row key={item.key} s={rows[item.index]!} row={item.index + 2} now={now} />
          ))}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}

function Row({ s, row, now }: { s: InsightSession; row: number; now: number }) {
  const td = 'px-2 text-right whitespace-nowrap'
  const flags = Object.entries(s.flagCounts).map(([kind, n]) => `${flagLooks[kind as keyof typeof flagLooks]?.label ?? kind} ${n}`).join('\n')
  const cost = measured(s.costUsd, usd)
  const cached = valueText(s.cacheHitRate, 'ratio')
  return (
    <tr aria-rowindex={row} className="hover:bg-hover" style={{ height: ROW_PX }}>
      <th scope="row" className="px-2 text-left font-normal">
        <span className="flex min-w-0 items-center gap-2">
          <AgentGlyph agent={s.agent} size={14} named />
          <span className="min-w-0">
            <Link to="/live" search={{ session: s.id }} className="block truncate decoration-line-strong underline-offset-2 hover:underline" data-tip={nameOf(s)}>
              {nameOf(s)}
            </Link>
            <span className="block truncate text-small/4 text-text-3">{[agentLabel(s.agent), s.branch ? `${s.repo || s.cwd}@${s.branch}` : s.repo || s.cwd, s.model].filter(Boolean).join(' · ')}</span>
          </span>
        </span>
      </th>
      <td className={cn(td, 'text-text-2')} data-tip={absolute(s.lastAt)}>{ago(s.lastAt, now)}</td>
      <td className={td}>{whole(s.turns)}</td>
      <td className={td}>{whole(s.calls)}</td>
      <td className={cn(td, s.failRate === null && 'text-text-3')} data-tip={`${whole(s.failedCalls)} of ${whole(s.calls)} calls`}>{share(s.failRate)}</td>
      <td className={td} data-tip={flags || undefined}>{whole(s.flags)}</td>
      <td className={td}>{measured(s.totalTokens)}</td>
      <td className={cn(td, cached === UNKNOWN && 'text-text-3')}>{cached}</td>
      <td className={cn(td, cost === UNKNOWN && 'text-text-3')} data-tip={cost === UNKNOWN ? 'No price is known, or it is billed in other units.' : undefined}>{cost}</td>
      <td className={td}>{duration(s.wallMs)}</td>
    </tr>
  )
}

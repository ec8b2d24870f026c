import { useState } from 'react'
import type { ToolStat } from '@/api/types'
import { categories } from '@/components/categories'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { percent } from '@/lib/delta'
import { UNKNOWN, duration, plural, whole } from '@/lib/format'
import { Column, th } from './Column'

const AT_FIRST = 15
const columns = ['calls', 'failed', 'failRate', 'retries', 'p50Ms', 'p95Ms', 'totalMs'] as const
type Key = (typeof columns)[number]
const names: Record<Key, string> = { calls: 'Calls', failed: 'Failed', failRate: 'Fail rate', retries: 'Retries', p50Ms: 'Median', p95Ms: '95 % within', totalMs: 'In all' }

/** What each tool was called for, how it went and how long it took. */
export function ToolTable({ tools }: { tools: ToolStat[] }) {
  const [by, setBy] = useState<Key>('calls')
  const [all, setAll] = useState(false)
  const most = Math.max(1, ...tools.map((t) => t.calls))
  const rows = [...tools].sort((a, b) => (b[by] ?? -1) - (a[by] ?? -1))
  const shown = all ? rows : rows.slice(0, AT_FIRST)
  return (
    <div tabIndex={0} role="region" aria-label="Tools" className="relative overflow-x-auto px-1 pb-1">
      <table className="w-full min-w-[40rem] tabular-nums">
        <thead>
          <tr className="border-b text-small">
            <th scope="col" className={cn(th, 'text-left')}>Tool</th>
            {columns.map((c) => (
              <Column key={c} name={names[c]} sorted={by === c ? 'descending' : undefined} onSort={() => setBy(c)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((t) => (
            <Row key={t.tool} t={t} share={t.calls / most} />
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <Button variant="link" onClick={() => setAll(true)}>
          Show all {plural(rows.length, 'tool')}
        </Button>
      )}
    </div>
  )
}

function Row({ t, share }: { t: ToolStat; share: number }) {
  const look = categories[t.category]
  const td = 'px-2 text-right whitespace-nowrap'
  const ms = (n: number | null) => <td className={cn(td, n === null && 'text-text-3')} data-tip={n === null ? 'The log gives no times.' : `of ${plural(t.timed, 'call')} whose time is known, within 5 %`}>{n === null ? UNKNOWN : duration(n)}</td>
  return (
    <tr className="hover:bg-hover">
      <th scope="row" className="h-7 max-w-72 px-2 text-left font-normal">
        <span className="flex items-center gap-2">
          <look.icon size={13} aria-hidden className={cn('shrink-0', look.text)} />
          <span className="truncate" data-tip={`${t.tool}\n${look.label}`}>{t.tool}</span>
        </span>
      </th>
      <td className={td}>
        <span className="flex items-center justify-end gap-2">
          <span aria-hidden className="h-2 w-16 max-lg:hidden">
            <span className={cn('ml-auto block h-full rounded-xs', look.fill)} style={{ width: `max(1px, ${share * 100}%)` }} />
          </span>
          <span className="min-w-12">{whole(t.calls)}</span>
        </span>
      </td>
      <td className={td}>{whole(t.failed)}</td>
      <td className={cn(td, t.failed > 0 && t.failRate >= 0.1 && 'text-fail')}>{percent(t.failRate)}</td>
      <td className={td}>{whole(t.retries)}</td>
      {ms(t.p50Ms)}
      {ms(t.p95Ms)}
      <td className={td}>{t.timed === 0 ? UNKNOWN : duration(t.totalMs)}</td>
    </tr>
  )
}

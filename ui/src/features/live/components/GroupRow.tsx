import { categories } from '@/components/categories'
import { cn } from '@/lib/cn'
import { duration, plural } from '@/lib/format'
import type { Row } from '../calls'

export function GroupRow({ row }: { row: Extract<Row, { kind: 'group' }> }) {
  const look = categories[row.category] ?? categories.other
  return (
    <h3 className="flex h-8 items-center gap-2 border-b bg-raised px-3">
      <look.icon size={14} aria-hidden className={cn('shrink-0', look.text)} />
      <span className="font-semibold">{look.label}</span>
      <span className="text-text-2">{plural(row.calls, 'call')}</span>
      {row.failed > 0 && <span className="text-fail">{row.failed} without success</span>}
      {row.ms > 0 && (
        <span className="ml-auto text-text-2" data-tip="Durations added up; calls side by side count each.">
          {duration(row.ms)}
        </span>
      )}
    </h3>
  )
}

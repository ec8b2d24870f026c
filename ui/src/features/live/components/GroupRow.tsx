import { Webhook } from 'lucide-react'
import type { Marker } from '@/api/types'
import { categories } from '@/components/categories'
import { cn } from '@/lib/cn'
import { duration, plural } from '@/lib/format'
import type { Row } from '../calls'

/** Several hooks that went well, one after the other. */
export function HooksRow({ markers }: { markers: Marker[] }) {
  const names = markers.map((m) => m.name || 'hook')
  return (
    <div className="flex h-7 items-center gap-2 border-b bg-panel pr-4 pl-[34px] text-text-3">
      <Webhook size={14} aria-hidden className="shrink-0" />
      <span className="shrink-0">{markers.length} hooks</span>
      <span className="min-w-0 flex-1 truncate" data-tip={names.join('\n')}>
        {names.join(', ')}
      </span>
    </div>
  )
}

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

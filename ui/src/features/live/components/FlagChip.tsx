import { Flag } from 'lucide-react'
import type { FlagKind } from '@/api/types'
import { cn } from '@/lib/cn'

export const flagLabels: Record<FlagKind, string> = {
  fail: 'fail',
  retry: 'retry',
  loop: 'loop',
  fanout: 'fan-out',
  'compaction-loss': 'compaction loss',
  thrash: 'thrash',
}

// Fan-out is worth knowing and nothing wrong; a failure is; the rest are warnings.
const tones: Record<FlagKind, string> = {
  fail: 'text-fail',
  retry: 'text-warn',
  loop: 'text-warn',
  fanout: 'text-text-2',
  'compaction-loss': 'text-fail',
  thrash: 'text-warn',
}

interface Props {
  kind: FlagKind
  count?: number
  reasons?: string[]
  className?: string
}

const MOST_REASONS = 5

export function FlagChip({ kind, count = 1, reasons = [], className }: Props) {
  const more = reasons.length - MOST_REASONS
  const tip = [...reasons.slice(0, MOST_REASONS), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
  return (
    <span data-tip={tip || undefined} className={cn('inline-flex items-center gap-1 text-small whitespace-nowrap', tones[kind] ?? 'text-warn', className)}>
      <Flag size={12} aria-hidden className="@max-md:hidden" />
      {flagLabels[kind] ?? kind}
      {count > 1 && <span>×{count}</span>}
    </span>
  )
}

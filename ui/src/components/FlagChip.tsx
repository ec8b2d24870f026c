import { Flag } from 'lucide-react'
import type { FlagKind } from '@/api/types'
import { flagLooks } from '@/components/flags'
import { cn } from '@/lib/cn'

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
    <span data-tip={tip || undefined} className={cn('inline-flex items-center gap-1 text-small whitespace-nowrap', flagLooks[kind]?.tone ?? 'text-warn', className)}>
      <Flag size={12} aria-hidden className="@max-md:hidden" />
      {flagLooks[kind]?.label ?? kind}
      {count > 1 && <span>×{count}</span>}
    </span>
  )
}

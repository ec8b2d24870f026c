import { cn } from '@/lib/cn'
import type { SideName } from '../search'

/** The letter of a side, filled for B, so that the two are told apart without colour. */
export function SideMark({ side, small = false }: { side: SideName; small?: boolean }) {
  return (
    <span
      aria-hidden
      className={cn(
        'flex shrink-0 items-center justify-center rounded border font-semibold',
        small ? 'size-4 text-[11px]' : 'size-6',
        side === 'a' ? 'border-line-strong text-text-2' : 'border-accent-fill bg-accent-fill text-on-accent',
      )}
    >
      {side.toUpperCase()}
    </span>
  )
}

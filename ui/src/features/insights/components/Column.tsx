import { ArrowDown, ArrowUp } from 'lucide-react'
import { cn } from '@/lib/cn'

export const th = 'h-8 px-2 font-normal whitespace-nowrap text-text-3'

interface Props {
  name: string
  sorted: 'ascending' | 'descending' | undefined
  onSort: () => void
  left?: boolean
  className?: string
}

/** A heading that sorts by its column. */
export function Column({ name, sorted, onSort, left = false, className }: Props) {
  const Icon = sorted === 'ascending' ? ArrowUp : ArrowDown
  return (
    <th scope="col" aria-sort={sorted ?? 'none'} className={cn(th, 'px-0', left ? 'text-left' : 'text-right', className)}>
      <button type="button" onClick={onSort} className={cn('inline-flex h-8 items-center gap-1 rounded px-2 hover:text-text', sorted && 'text-text')}>
        {!left && sorted && <Icon size={12} aria-hidden />}
        {name}
        {left && sorted && <Icon size={12} aria-hidden />}
      </button>
    </th>
  )
}

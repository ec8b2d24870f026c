import { cn } from '@/lib/cn'

interface Props<T extends string> {
  label: string
  value: T
  options: { value: T; label: string }[]
  onChange: (value: T) => void
  className?: string
}

/** A choice of a few that are all in sight. */
export function Segmented<T extends string>({ label, value, options, onChange, className }: Props<T>) {
  return (
    <div role="group" aria-label={label} className={cn('flex h-7 shrink-0 rounded-md border bg-panel p-px', className)}>
      {options.map((o) => (
        <button
          key={o.value}
          type="button"
          aria-pressed={o.value === value}
          onClick={() => onChange(o.value)}
          className={cn('rounded-[5px] px-2 whitespace-nowrap text-text-2 hover:text-text', o.value === value && 'bg-selected text-text')}
        >
          {o.label}
        </button>
      ))}
    </div>
  )
}

import type { ReactNode } from 'react'
import { useId } from 'react'
import { cn } from '@/lib/cn'

interface Props {
  title: string
  note?: ReactNode
  actions?: ReactNode
  className?: string
  children: ReactNode
}

/** A chart or table under the question that it answers. */
export function Panel({ title, note, actions, className, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={cn('flex min-w-0 flex-col rounded-md border bg-panel', className)}>
      <header className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 pt-2">
        <h2 id={id} className="text-[14px] font-semibold">
          {title}
        </h2>
        {note && <p className="text-small text-text-3">{note}</p>}
        {actions && <div className="ml-auto flex items-center gap-1">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

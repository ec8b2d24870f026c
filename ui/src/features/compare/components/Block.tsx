import type { ReactNode } from 'react'
import { useId } from 'react'

/** A part of the view under a heading that says what it answers. */
export function Block({ title, note, actions, children }: { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <header className="mb-1.5 flex flex-wrap items-baseline gap-x-3">
        <h3 id={id} className="text-[15px] font-semibold">
          {title}
        </h3>
        {note && <p className="text-small text-text-3">{note}</p>}
        {actions && <div className="ml-auto">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** A table too wide for a phone scrolls by itself; it can be focused, so that keys scroll it, too. */
export function Scroller({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div tabIndex={0} role="region" aria-label={label} className="relative overflow-x-auto rounded-md border bg-panel px-1">
      {children}
    </div>
  )
}

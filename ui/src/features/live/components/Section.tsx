import type { ReactNode } from 'react'

interface Props {
  title: string
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Section({ title, note, actions, children }: Props) {
  return (
    <section aria-label={title} className="border-b px-4 py-3 last:border-b-0">
      <header className="mb-1.5 flex h-5 items-center gap-2">
        <h3 className="font-semibold">{title}</h3>
        {note && <span className="min-w-0 truncate text-small text-text-3">{note}</span>}
        {actions && <span className="ml-auto flex items-center gap-1">{actions}</span>}
      </header>
      {children}
    </section>
  )
}

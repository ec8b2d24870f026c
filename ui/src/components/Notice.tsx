import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'

interface Props {
  icon: LucideIcon
  title: string
  children?: ReactNode
  actions?: ReactNode
  tone?: 'plain' | 'fail'
  wide?: boolean // it holds more than sentences
}

/** A whole pane's message: what is the case, why, and what to do about it. */
export function Notice({ icon: Icon, title, children, actions, tone = 'plain', wide = false }: Props) {
  return (
    <div role={tone === 'fail' ? 'alert' : 'status'} className="flex h-full min-h-40 flex-col items-center justify-center gap-2 overflow-auto p-6 text-center">
      <Icon size={22} aria-hidden className={cn('mb-1', tone === 'fail' ? 'text-fail' : 'text-text-3')} />
      <h2 className="text-[15px] font-semibold">{title}</h2>
      {children && <div className={cn('text-text-2', wide ? 'w-full max-w-2xl' : 'max-w-[52ch]')}>{children}</div>}
      {actions && <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

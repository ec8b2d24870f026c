import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Masked } from '@/components/Masked'
import { cn } from '@/lib/cn'

interface Props {
  icon: ReactNode
  label: string
  summary?: string
  note?: ReactNode // at the end of the line
  open: boolean
  onToggle: (() => void) | undefined // undefined = there is nothing to see
  children?: ReactNode
}

/** One quiet line that opens: a call, a thought, something the harness wrote. */
export function Quiet({ icon, label, summary, note, open, onToggle, children }: Props) {
  const line = (
    <>
      <ChevronRight size={13} aria-hidden className={cn('shrink-0 text-text-3 transition-transform duration-100', open && 'rotate-90', !onToggle && 'invisible')} />
      {icon}
      <span className="shrink-0 text-text-2">{label}</span>
      <span className="min-w-0 flex-1 truncate text-text-3">{summary && <Masked text={summary} />}</span>
      {note}
    </>
  )
  const look = 'flex h-[26px] w-full min-w-0 items-center gap-1.5 rounded-md px-1 text-left'
  return (
    <div className="min-w-0">
      {onToggle ? (
        <button type="button" aria-expanded={open} onClick={onToggle} className={cn(look, 'hover:bg-hover')}>
          {line}
        </button>
      ) : (
        <div className={look}>{line}</div>
      )}
      {open && children && <div className="mt-0.5 mb-2 ml-[9px] border-l pl-4">{children}</div>}
    </div>
  )
}

import type { ReactNode } from 'react'
import { createContext, use } from 'react'
import type { Measure, Ref } from '@/api/types'
import { UNKNOWN, basename, measured, whole } from '@/lib/format'
import { cn } from '@/lib/cn'

interface Source {
  path: string
  open: (ref: Ref) => void
}

/** Which log the numbers below come from, and how to show a line of it. */
export const SourceContext = createContext<Source>({ path: '', open: () => undefined })

export function placeOf(path: string, ref: Ref): string {
  const file = basename(path) || 'the log'
  return ref.line > 0 ? `from ${file}:${whole(ref.line)}` : `from ${file}, byte ${whole(ref.offset)}`
}

interface Props {
  at: Ref | undefined
  children: ReactNode
  tip?: string
  className?: string
}

/** A number that says where it was read and opens that record on a click. */
export function Sourced({ at, children, tip, className }: Props) {
  const { path, open } = use(SourceContext)
  if (!at || at.length === 0) {
    return tip ? (
      <span data-tip={tip} className={className}>
        {children}
      </span>
    ) : (
      <span className={className}>{children}</span>
    )
  }
  const place = placeOf(path, at)
  return (
    <button
      type="button"
      data-tip={tip ? `${tip}\n${place}` : place}
      className={cn('rounded-sm decoration-line-strong decoration-dotted underline-offset-3 hover:underline', className)}
      onClick={(event) => {
        event.stopPropagation()
        open(at)
      }}
    >
      {children}
    </button>
  )
}

/** A measure with its quality explained on hover. */
export function measureTip(m: Measure | undefined, what: string): string {
  if (!m || m.quality === 'unknown') return `${what}: unknown. The log does not say.`
  if (m.quality === 'partial') return `${what}: at least ${whole(m.value)}. The log does not tell all of it.`
  return `${what}: ${whole(m.value)}`
}

export function Measured({ m, what, at, className }: { m: Measure | undefined; what: string; at?: Ref; className?: string }) {
  const text = measured(m)
  return (
    <Sourced at={at} tip={measureTip(m, what)} className={cn(text === UNKNOWN && 'text-text-3', className)}>
      {text}
    </Sourced>
  )
}

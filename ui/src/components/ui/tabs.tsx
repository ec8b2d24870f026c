import type { ComponentProps, KeyboardEvent } from 'react'
import { createContext, use, useId, useMemo } from 'react'
import { cn } from '@/lib/cn'

interface Choice {
  id: string
  value: string
  choose: (value: string) => void
}

const ChoiceContext = createContext<Choice>({ id: '', value: '', choose: () => undefined })

interface TabsProps extends ComponentProps<'div'> {
  value: string
  onValueChange: (value: string) => void
}

export function Tabs({ value, onValueChange, ...props }: TabsProps) {
  const id = useId()
  const choice = useMemo(() => ({ id, value, choose: onValueChange }), [id, value, onValueChange])
  return (
    <ChoiceContext value={choice}>
      <div {...props} />
    </ChoiceContext>
  )
}

/** The row of tabs: arrow keys go round, Home and End to its ends; what gets the focus is shown. */
export function TabsList({ className, ...props }: ComponentProps<'div'>) {
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
    const at = tabs.findIndex((tab) => tab === document.activeElement)
    const to = { ArrowRight: (at + 1) % tabs.length, ArrowLeft: (at - 1 + tabs.length) % tabs.length, Home: 0, End: tabs.length - 1 }[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    tabs[to]?.focus()
    tabs[to]?.click()
  }
  return <div role="tablist" onKeyDown={onKeyDown} className={cn('flex h-9 shrink-0 items-stretch gap-4 border-b px-4', className)} {...props} />
}

export function TabsTrigger({ value, className, ...props }: ComponentProps<'button'> & { value: string }) {
  const { id, value: chosen, choose } = use(ChoiceContext)
  const active = value === chosen
  return (
    <button
      type="button"
      role="tab"
      id={`${id}tab-${value}`}
      aria-selected={active}
      aria-controls={active ? `${id}pane-${value}` : undefined}
      tabIndex={active ? 0 : -1}
      onClick={() => choose(value)}
      className={cn('-mb-px flex items-center gap-1.5 border-b-2 border-transparent text-text-2 hover:text-text aria-selected:border-accent aria-selected:text-text', className)}
      {...props}
    />
  )
}

export function TabsContent({ value, className, ...props }: ComponentProps<'div'> & { value: string }) {
  const { id, value: chosen } = use(ChoiceContext)
  if (value !== chosen) return null
  return <div role="tabpanel" id={`${id}pane-${value}`} aria-labelledby={`${id}tab-${value}`} className={cn('min-h-0 flex-1 outline-none', className)} {...props} />
}

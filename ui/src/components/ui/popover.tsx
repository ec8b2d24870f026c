import type { ComponentProps, ReactNode } from 'react'
import { lazyLayer } from './layer'
import type * as Parts from './popover-parts'

const popover = lazyLayer(() => import('./popover-parts'), 'dialog')

export const Popover = popover.Root
export const PopoverTrigger = popover.Trigger

interface ContentProps {
  align?: 'start' | 'end'
  className?: string
  'aria-label': string
  children: ReactNode
}

export function PopoverContent({ 'aria-label': label, ...props }: ContentProps) {
  const { open, parts, anchor, close } = popover.useLayer()
  if (!open || !parts || !anchor.current) return null
  return <parts.PopoverLayer anchor={anchor.current} onClose={close} label={label} {...props} />
}

export function PopoverClose(props: ComponentProps<typeof Parts.Close>) {
  const { parts } = popover.useLayer()
  const Close = parts!.Close // only an open popover draws what is in it
  return <Close {...props} />
}

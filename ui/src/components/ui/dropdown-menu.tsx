import type { ComponentProps, ReactNode } from 'react'
import { createElement } from 'react'
import { lazyLayer } from './layer'
import type * as Parts from './menu-parts'

const menu = lazyLayer(() => import('./menu-parts'), 'menu')

export const DropdownMenu = menu.Root
export const DropdownMenuTrigger = menu.Trigger

interface ContentProps {
  align?: 'start' | 'end'
  className?: string
  children: ReactNode
}

export function DropdownMenuContent(props: ContentProps) {
  const { open, parts, anchor, close } = menu.useLayer()
  if (!open || !parts || !anchor.current) return null
  return <parts.MenuLayer anchor={anchor.current} onClose={close} {...props} />
}

function usePart<K extends keyof typeof Parts>(name: K): (typeof Parts)[K] {
  return menu.useLayer().parts![name] // only an open menu draws its items
}

export function DropdownMenuItem(props: ComponentProps<typeof Parts.Item>) {
  return createElement(usePart('Item'), props)
}

export function DropdownMenuRadioGroup(props: ComponentProps<typeof Parts.RadioGroup>) {
  return createElement(usePart('RadioGroup'), props)
}

export function DropdownMenuRadioItem(props: ComponentProps<typeof Parts.RadioItem>) {
  return createElement(usePart('RadioItem'), props)
}

export function DropdownMenuLabel(props: ComponentProps<typeof Parts.Label>) {
  return createElement(usePart('Label'), props)
}

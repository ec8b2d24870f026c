import { Slot } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { createContext, use, useMemo, useRef, useState } from 'react'

/** What a menu or a popover gets of the button below which it opens. */
export interface LayerProps {
  anchor: HTMLElement
  onClose: () => void
  children: ReactNode
  className?: string | undefined
  align?: 'start' | 'end' | undefined
  label?: string | undefined
}

interface Layer<Parts> {
  open: boolean
  parts: Parts | undefined
  anchor: RefObject<HTMLElement | null>
  toggle: () => void
  close: () => void
  load: () => void
}

/**
 * Buttons that open something whose code comes when a pointer or the focus comes near: menus and popovers are half as
 * much code as the whole first view, and most visits open none.
 */
export function lazyLayer<Parts>(importParts: () => Promise<Parts>, kind: 'menu' | 'dialog') {
  const Context = createContext<Layer<Parts> | undefined>(undefined)
  const useLayer = (): Layer<Parts> => {
    const layer = use(Context)
    if (!layer) throw new Error(`part of a ${kind} outside of one`)
    return layer
  }
  function Root({ children }: { children: ReactNode }) {
    const [open, setOpen] = useState(false)
    const [parts, setParts] = useState<Parts>()
    const anchor = useRef<HTMLElement>(null)
    const layer = useMemo(() => {
      const load = (): void => void importParts().then(setParts)
      const close = (): void => setOpen(false)
      return { open, parts, anchor, close, load, toggle: () => setOpen((old) => (load(), !old)) }
    }, [open, parts])
    return <Context value={layer}>{children}</Context>
  }
  /** Makes its only child the button. */
  function Trigger({ children }: { children: ReactNode; asChild: true }) {
    const { open, anchor, toggle, load } = useLayer()
    return (
      <Slot.Root ref={anchor} aria-haspopup={kind} aria-expanded={open} data-state={open ? 'open' : 'closed'} onClick={toggle} onPointerEnter={load} onFocus={load}>
        {children}
      </Slot.Root>
    )
  }
  return { Root, Trigger, useLayer }
}

import { useEffect, useRef } from 'react'
import type { Action } from '@/lib/keyboard'
import { actionOf, isTyping } from '@/lib/keyboard'

type Handlers = Partial<Record<Action, (event: KeyboardEvent) => void>>

// An open dialog or menu has the keyboard for itself.
function isCovered(): boolean {
  return document.querySelector('[role=dialog][data-state=open], [role=menu][data-state=open]') !== null
}

/** Obeys the keyboard table while the calling component is mounted. */
export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const action = actionOf(event)
      if (!action || event.defaultPrevented) return
      const handler = latest.current[action]
      if (!handler) return
      if (action !== 'palette' && (isTyping(event.target) || isCovered())) return
      // Enter on a button or a link is that button's.
      if (action === 'open' && event.target instanceof HTMLElement && event.target.closest('button, a')) return
      event.preventDefault()
      handler(event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

import { useEffect, useRef, useState } from 'react'

interface Tip {
  text: string
  x: number
  y: number
  below: boolean
}

const DELAY_MS = 250
const MARGIN = 8

function place(target: Element, text: string): Tip {
  const box = target.getBoundingClientRect()
  const below = box.top < 64
  const x = Math.min(Math.max(box.left + box.width / 2, MARGIN), innerWidth - MARGIN)
  return { text, x, y: below ? box.bottom + 6 : box.top - 6, below }
}

/**
 * The page's one tooltip: shows the data-tip of whatever is hovered or focused. A list of thousands of numbers with a
 * hover each costs nothing this way.
 */
export function Tips() {
  const [tip, setTip] = useState<Tip>()
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let current: Element | null = null
    function hide(): void {
      clearTimeout(timer)
      current = null
      setTip(undefined)
    }
    function show(event: Event, delay: number): void {
      const target = event.target instanceof Element ? event.target.closest('[data-tip]') : null
      if (target === current) return
      hide()
      const text = target?.getAttribute('data-tip')
      if (!target || !text) return
      current = target
      timer = setTimeout(() => target.isConnected && setTip(place(target, text)), delay)
    }
    const onOver = (event: Event) => show(event, DELAY_MS)
    const onFocus = (event: Event) => event.target instanceof Element && event.target.matches(':focus-visible') && show(event, 0)
    const events: [string, (event: Event) => void][] = [
      ['pointerover', onOver],
      ['focusin', onFocus],
      ['focusout', hide],
      ['pointerdown', hide],
      ['keydown', hide],
      ['scroll', hide],
    ]
    for (const [name, handler] of events) document.addEventListener(name, handler, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const [name, handler] of events) document.removeEventListener(name, handler, { capture: true })
    }
  }, [])

  // Near the window's edge the box moves inwards as far as it must.
  useEffect(() => {
    const el = box.current
    if (!el || !tip) return
    const half = el.offsetWidth / 2
    const x = Math.min(Math.max(tip.x, half + MARGIN), innerWidth - half - MARGIN)
    el.style.left = `${x}px`
  }, [tip])

  if (!tip) return null
  return (
    <div
      ref={box}
      role="tooltip"
      style={{ left: tip.x, top: tip.y, transform: `translate(-50%, ${tip.below ? '0' : '-100%'})` }}
      className="pointer-events-none fixed z-[60] max-w-80 rounded-md bg-raised px-2 py-1 text-small whitespace-pre-line break-words text-text shadow-float"
    >
      {tip.text}
    </div>
  )
}

import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useRef, useState } from 'react'

interface Props {
  name: string // under which the browser remembers the share
  label: string // of the separator
  left: ReactNode
  right: ReactNode
  share: number // of the left side, as long as nobody moved the separator
  least: [number, number] // px
}

const STEP = 0.02

function stored(name: string): number | undefined {
  try {
    const share = Number(localStorage.getItem(name))
    return share > 0 && share < 1 ? share : undefined
  } catch {
    return undefined
  }
}

/** Two panes side by side with a separator that can be dragged, or moved with the arrow keys. */
export function Split({ name, label, left, right, share: start, least }: Props) {
  const key = `turnwatch.${name}.share`
  const [share, setShare] = useState(() => stored(key) ?? start)
  const host = useRef<HTMLDivElement>(null)
  const id = `${name}-left`
  function move(next: number): void {
    const kept = Math.min(Math.max(next, 0.1), 0.9)
    setShare(kept)
    try {
      localStorage.setItem(key, String(kept))
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
  }
  function onPointerMove(event: PointerEvent): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const box = host.current!.getBoundingClientRect()
    move((event.clientX - box.left) / Math.max(1, box.width))
  }
  function onKeyDown(event: KeyboardEvent): void {
    const to = { ArrowLeft: share - STEP, ArrowRight: share + STEP, Home: 0, End: 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    move(to)
  }
  return (
    <div ref={host} className="flex min-h-0 flex-1">
      <div id={id} className="h-full min-w-0" style={{ width: `clamp(${least[0]}px, ${share * 100}%, calc(100% - ${least[1]}px))` }}>
        {left}
      </div>
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation="vertical"
        aria-controls={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
        onDoubleClick={() => move(start)}
        className="relative w-px shrink-0 cursor-col-resize touch-none bg-line outline-none transition-colors after:absolute after:inset-y-0 after:-left-1 after:z-10 after:w-2 after:content-[''] hover:bg-accent focus-visible:bg-accent active:bg-accent"
      />
      <div className="h-full min-w-0 flex-1">{right}</div>
    </div>
  )
}

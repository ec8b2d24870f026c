import type { PointerEvent, RefObject } from 'react'
import { useRef } from 'react'
import type { Scale } from './ribbon'
import { turnAt } from './ribbon'

interface Targets {
  onHover: (at: number | undefined) => void // positions in the ribbon's turns
  onTurn: (at: number) => void
  onSweep: (at: number) => void // once a frame while the brush is dragged
  onRest: () => void // the brush was let go
  sight: () => [number, number] | undefined
}

const CLICK_PX = 4

/** The pointer on the ribbon: a drag moves the brush, a press without one selects the turn. */
export function useDrag(host: RefObject<HTMLDivElement | null>, scale: Scale, targets: Targets) {
  const from = useRef<{ x: number; offset: number; moved: boolean }>(undefined)
  const frame = useRef(0) // the map follows once a frame, however often the pointer reports
  const left = useRef<number>(undefined) // of the host; asked for once per visit, since the answer costs a layout
  const xOf = (event: PointerEvent): number => {
    left.current ??= host.current?.getBoundingClientRect().left ?? 0
    return event.clientX - left.current
  }
  function end(): boolean {
    const start = from.current
    from.current = undefined
    if (!start?.moved) return start !== undefined
    cancelAnimationFrame(frame.current)
    targets.onRest()
    return false
  }
  return {
    onPointerEnter: (): void => {
      left.current = undefined
    },
    onPointerLeave: (): void => {
      left.current = undefined
      targets.onHover(undefined)
    },
    onPointerMove: (event: PointerEvent): void => {
      const x = xOf(event)
      targets.onHover(turnAt(scale, x))
      const start = from.current
      if (!start || (!start.moved && Math.abs(x - start.x) < CLICK_PX)) return
      start.moved = true
      const to = turnAt(scale, x - start.offset)
      cancelAnimationFrame(frame.current)
      frame.current = requestAnimationFrame(() => targets.onSweep(to))
    },
    onPointerDown: (event: PointerEvent): void => {
      if (event.button !== 0) return
      host.current?.setPointerCapture(event.pointerId)
      left.current = undefined
      const x = xOf(event)
      const seen = targets.sight()
      const [first, last] = seen ?? [0, 0]
      const begin = scale.starts[first] ?? 0
      const stop = scale.ends[last] ?? 0
      // Held inside the brush, it moves as it was held; held outside, it comes to the pointer.
      const offset = seen && x >= begin && x <= stop ? x - (begin + stop) / 2 : 0
      from.current = { x, offset, moved: false }
    },
    onPointerUp: (event: PointerEvent): void => {
      if (end()) targets.onTurn(turnAt(scale, xOf(event)))
    },
    onPointerCancel: (): void => {
      end()
    },
  }
}

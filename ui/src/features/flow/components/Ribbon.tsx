import type { KeyboardEvent } from 'react'
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Ribbon as RibbonData } from '@/api/flow'
import type { FlagKind } from '@/api/types'
import { Cell } from '@/lib/cell'
import type { Axis } from '../ribbon'
import { RIBBON_PX, scaleOf } from '../ribbon'
import { wordsOf } from '../ribbon-words'
import type { Sight } from '../sight'
import { useCanvas } from '../use-canvas'
import { useDrag } from '../use-drag'
import { Brush, Hover, Selected } from './RibbonMarks'

interface Props {
  ribbon: RibbonData
  axis: Axis
  flag: FlagKind | undefined
  shown: number // index of the selected turn
  sight: Sight | undefined // of the map
  onTurn: (index: number) => void
  onSweep: (index: number) => void // the brush is dragged: the map shall show this turn in its middle
  onRest: () => void
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: -1, ArrowUp: 1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }

/** The whole session in 72 px. The canvas is drawn once per change of data; brush, selection and hover move above it. */
export const Ribbon = memo(function Ribbon({ ribbon, axis, flag, shown, sight, onTurn, onSweep, onRest }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const el = host.current
    if (!el) return
    setWidth(el.clientWidth) // now: the observer would tell a frame later
    const observer = new ResizeObserver(() => setWidth(el.clientWidth))
    observer.observe(el)
    return () => observer.disconnect()
  }, [])
  const scale = useMemo(() => scaleOf(ribbon.turns, width, axis), [ribbon, width, axis])
  const canvas = useCanvas(ribbon, scale, flag)
  const [hover] = useState(() => new Cell<number | undefined>(undefined))
  const first = ribbon.turns[0]?.index ?? 0
  const last = ribbon.turns.length - 1
  const at = Math.min(Math.max(shown - first, 0), last)
  const pointer = useDrag(host, scale, {
    onHover: hover.set,
    onTurn: (i) => onTurn(ribbon.turns[i]!.index),
    onSweep: (i) => onSweep(ribbon.turns[i]!.index),
    onRest,
    sight: () => {
      const range = sight?.current()
      return range && [range[0] - first, range[1] - first]
    },
  })

  function onKeyDown(event: KeyboardEvent): void {
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    onTurn(ribbon.turns[Math.min(Math.max(shown - first + by, 0), last)]!.index)
  }
  return (
    <div className="relative shrink-0 bg-panel px-3">
      <div
        ref={host}
        role="slider"
        tabIndex={0}
        aria-label="Turn"
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={ribbon.turnCount}
        aria-valuenow={shown + 1}
        aria-valuetext={last >= 0 ? wordsOf(ribbon, at).join(', ') : 'none'}
        onKeyDown={onKeyDown}
        {...pointer}
        className="relative touch-none select-none"
        style={{ height: RIBBON_PX }}
      >
        <canvas ref={canvas} aria-hidden className="block" style={{ width: '100%', height: RIBBON_PX }} />
        {last >= 0 && width > 0 && (
          <>
            {sight && <Brush scale={scale} sight={sight} offset={first} />}
            <Selected scale={scale} at={at} />
            <Hover ribbon={ribbon} scale={scale} hover={hover} />
          </>
        )}
      </div>
    </div>
  )
})

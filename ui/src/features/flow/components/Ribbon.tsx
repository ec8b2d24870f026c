import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Ribbon as RibbonData } from '@/api/flow'
import type { FlagKind } from '@/api/types'
import { categories } from '@/components/categories'
import { flagLooks } from '@/components/flow/words'
import { resolveTheme, usePrefs } from '@/lib/prefs'
import { clockTime, duration, plural } from '@/lib/format'
import { usePixelRatio } from '@/hooks/use-pixel-ratio'
import type { Sight } from '../sight'
import { useSight } from '../sight'
import type { Axis, Scale } from '../ribbon'
import { RIBBON_PX, arcsOf, columnsOf, flagsOf, scaleOf, turnAt } from '../ribbon'
import { coloursOf, drawRibbon } from './draw'

interface Props {
  ribbon: RibbonData
  axis: Axis
  flag: FlagKind | undefined
  shown: number // index of the selected turn
  sight: Sight | undefined // of the map
  onTurn: (index: number) => void
  onScroll: (index: number) => void // asks the map to show a turn in its middle
}

/** The whole session in 72 px. The canvas is drawn once per change of data; brush, selection and hover move above it. */
export function Ribbon({ ribbon, axis, flag, shown, sight, onTurn, onScroll }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  const scale = useMemo(() => scaleOf(ribbon.turns, width, axis), [ribbon, width, axis])
  const canvas = useCanvas(ribbon, scale, flag)
  const [hover, setHover] = useState<number>()
  const place = (index: number): number => index - (ribbon.turns[0]?.index ?? 0)
  const last = ribbon.turns.length - 1
  const drag = useDrag(host, scale, {
    onTurn: (i) => onTurn(ribbon.turns[i]!.index),
    onScroll: (i) => onScroll(ribbon.turns[i]!.index),
    sight: () => {
      const range = sight?.current()
      return range && [place(range[0]), place(range[1])]
    },
  })

  function onKeyDown(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: -1, ArrowUp: 1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onTurn(ribbon.turns[Math.min(Math.max(place(shown) + by, 0), last)]!.index)
  }
  const at = Math.min(Math.max(place(shown), 0), last)
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
        onPointerMove={(event) => {
          setHover(turnAt(scale, xOf(event)))
          drag.move(event)
        }}
        onPointerLeave={() => setHover(undefined)}
        onPointerDown={drag.down}
        onPointerUp={drag.up}
        onPointerCancel={drag.up}
        className="relative touch-none select-none"
        style={{ height: RIBBON_PX }}
      >
        <canvas ref={canvas} aria-hidden className="block" style={{ width: '100%', height: RIBBON_PX }} />
        {last >= 0 && (
          <>
            {sight && <Brush scale={scale} sight={sight} offset={ribbon.turns[0]!.index} />}
            <Marks scale={scale} at={at} />
            {hover !== undefined && <Hover ribbon={ribbon} scale={scale} at={Math.min(hover, last)} />}
          </>
        )}
      </div>
    </div>
  )
}

function xOf(event: PointerEvent): number {
  return event.clientX - event.currentTarget.getBoundingClientRect().left
}

/** The part of the session that the map shows. */
function Brush({ scale, sight, offset }: { scale: Scale; sight: Sight; offset: number }) {
  const range = useSight(sight)
  if (!range) return null
  const from = scale.starts[range[0] - offset] ?? 0
  const to = scale.ends[range[1] - offset] ?? scale.width
  return <div aria-hidden data-brush className="pointer-events-none absolute inset-y-0 rounded-[3px] border border-accent bg-accent/10" style={{ left: from, width: Math.max(to - from, 4) }} />
}

/** The selected turn. */
function Marks({ scale, at }: { scale: Scale; at: number }) {
  const start = scale.starts[at] ?? 0
  const width = Math.max((scale.ends[at] ?? 0) - start, 2)
  return <div aria-hidden className="pointer-events-none absolute bottom-0 h-[5px] rounded-full bg-accent" style={{ left: Math.min(start, scale.width - 6), width: Math.max(width - 1, 6) }} />
}

function Hover({ ribbon, scale, at }: { ribbon: RibbonData; scale: Scale; at: number }) {
  const start = scale.starts[at] ?? 0
  const x = (start + (scale.ends[at] ?? start)) / 2
  const side = x > scale.width / 2 ? { right: Math.max(0, scale.width - x - 24) } : { left: Math.max(0, x - 24) }
  const [head, ...rest] = wordsOf(ribbon, at)
  return (
    <>
      <div aria-hidden className="pointer-events-none absolute inset-y-0 bg-text/10" style={{ left: start, width: Math.max((scale.ends[at] ?? 0) - start, 2) }} />
      <div aria-hidden className="pointer-events-none absolute top-full z-40 mt-1 rounded-md bg-raised px-2 py-1 text-small whitespace-nowrap text-text shadow-float" style={side}>
        <p className="font-medium">{head}</p>
        {rest.map((line) => (
          <p key={line} className="text-text-2">
            {line}
          </p>
        ))}
      </div>
    </>
  )
}

function wordsOf(ribbon: RibbonData, at: number): string[] {
  const t = ribbon.turns[at]!
  const calls = t.calls.flatMap((n, i) => (n > 0 ? [`${categories[ribbon.categories[i]!].label.toLowerCase()} ${n}`] : []))
  const wall = t.startedAt > 0 && t.endedAt > t.startedAt ? duration(t.endedAt - t.startedAt) : ''
  return [
    [`Turn ${t.index + 1}`, t.status === 'ok' ? '' : t.status, wall, t.startedAt > 0 ? clockTime(t.startedAt) : ''].filter(Boolean).join(' · '),
    [plural(t.roundTrips, 'round trip'), plural(t.n, 'call')].join(' · '),
    calls.join(' · '),
    [t.failed > 0 ? `${t.failed} failed` : '', t.compactions > 0 ? plural(t.compactions, 'compaction') : '', ...flagsOf(ribbon, t.flags).map((f) => `⚑ ${flagLooks[f].label}`)].filter(Boolean).join(' · '),
  ].filter(Boolean)
}

function useWidth(host: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const el = host.current
    if (!el) return
    const observer = new ResizeObserver(() => setWidth(el.clientWidth))
    observer.observe(el)
    return () => observer.disconnect()
  }, [host])
  return width
}

/** A canvas with one pixel per pixel of the screen. */
function useCanvas(ribbon: RibbonData, scale: Scale, flag: FlagKind | undefined): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null)
  const ratio = usePixelRatio()
  const theme = resolveTheme(usePrefs().theme)
  const columns = useMemo(() => columnsOf(ribbon, scale), [ribbon, scale])
  const arcs = useMemo(() => arcsOf(ribbon, scale), [ribbon, scale])
  useEffect(() => {
    const el = canvas.current
    const ctx = el?.getContext('2d')
    if (!el || !ctx || scale.width === 0) return
    el.width = Math.round(scale.width * ratio)
    el.height = Math.round(RIBBON_PX * ratio)
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawRibbon(ctx, { ribbon, scale, columns, arcs, flag, colours: coloursOf(el, ribbon.categories) })
  }, [ribbon, scale, columns, arcs, flag, ratio, theme])
  return canvas
}

interface DragTargets {
  onTurn: (at: number) => void
  onScroll: (at: number) => void
  sight: () => [number, number] | undefined
}

const CLICK_PX = 4

/** A drag moves the brush; a press without one selects the turn. */
function useDrag(host: RefObject<HTMLDivElement | null>, scale: Scale, targets: DragTargets) {
  const from = useRef<{ x: number; offset: number; moved: boolean }>(undefined)
  const frame = useRef(0) // the map follows once a frame, however often the pointer reports
  function move(event: PointerEvent): void {
    const start = from.current
    if (!start) return
    const x = xOf(event)
    if (!start.moved && Math.abs(x - start.x) < CLICK_PX) return
    start.moved = true
    const to = turnAt(scale, x - start.offset)
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => targets.onScroll(to))
  }
  return {
    move,
    down: (event: PointerEvent): void => {
      if (event.button !== 0) return
      host.current?.setPointerCapture(event.pointerId)
      const x = xOf(event)
      const seen = targets.sight()
      const [first, last] = seen ?? [0, 0]
      const left = scale.starts[first] ?? 0
      const right = scale.ends[last] ?? 0
      // Held inside the brush, it moves as it was held; held outside, it comes to the pointer.
      const offset = seen && x >= left && x <= right ? x - (left + right) / 2 : 0
      from.current = { x, offset, moved: false }
    },
    up: (event: PointerEvent): void => {
      const start = from.current
      from.current = undefined
      if (start && !start.moved) targets.onTurn(turnAt(scale, xOf(event)))
    },
  }
}

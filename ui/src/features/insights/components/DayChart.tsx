import type { KeyboardEvent, PointerEvent } from 'react'
import { useState } from 'react'
import type { InsightDay } from '@/api/types'
import { useWidth } from '@/hooks/use-width'
import { longDay, shortDay } from '@/lib/days'
import { UNKNOWN } from '@/lib/format'
import type { AnyMeasure } from '../measures'
import { daysBetween, labelled, tickText, ticks } from '../model'
import type { DayRange } from '../search'

const HEIGHT = 190
const TOP = 8
const BOTTOM = 22
const LEFT = 56
const RIGHT = 8

interface Props {
  days: InsightDay[]
  measure: AnyMeasure<InsightDay>
  chosen: DayRange | undefined
  onChoose: (range: DayRange | undefined) => void
}

/**
 * A column per day. Dragging chooses days; so do the arrow keys with Shift, from the day that they stand on. The element
 * is a slider to whoever cannot see it: its value is the day, its text the day's number.
 */
export function DayChart({ days, measure, chosen, onChoose }: Props) {
  const [box, width] = useWidth<HTMLDivElement>()
  const [drag, setDrag] = useState<{ from: number; to: number }>()
  const [at, setAt] = useState<number>()
  const values = days.map((d) => measure.value(d))
  const axis = ticks(Math.max(0, ...values.map((v) => v ?? 0)))
  const top = axis.at(-1)!
  const step = Math.max(0, width - LEFT - RIGHT) / Math.max(1, days.length)
  const y = (v: number) => TOP + (1 - v / top) * (HEIGHT - TOP - BOTTOM)
  const column = (clientX: number, el: Element) => Math.min(days.length - 1, Math.max(0, Math.floor((clientX - el.getBoundingClientRect().left - LEFT) / step)))
  const range = drag ? daysBetween(days, drag.from, drag.to) : chosen
  const cursor = Math.min(at ?? days.length - 1, days.length - 1)
  const words = (i: number) => `${longDay(days[i]!.day)}: ${values[i] === undefined ? 'unknown' : `${measure.partial?.(days[i]!) ? 'at least ' : ''}${measure.format(values[i]!)} ${measure.unit}`}`

  function finish(): void {
    if (!drag) return
    const next = daysBetween(days, drag.from, drag.to)
    // A click on the only chosen day lets go of it.
    onChoose(next && chosen && next.from === chosen.from && next.to === chosen.to ? undefined : next)
    setDrag(undefined)
  }
  function onKeyDown(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, Home: -days.length, End: days.length }[event.key]
    if (by !== undefined) {
      const next = Math.min(days.length - 1, Math.max(0, cursor + by))
      setAt(next)
      if (event.shiftKey) {
        const kept = chosen && days.findIndex((d) => d.day === (chosen.to === days[cursor]!.day ? chosen.from : chosen.to))
        onChoose(daysBetween(days, kept !== undefined && kept >= 0 ? kept : cursor, next))
      }
    } else if (event.key === 'Enter' || event.key === ' ') onChoose(daysBetween(days, cursor, cursor))
    else if (event.key === 'Escape' && chosen) onChoose(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const pointer = {
    onPointerDown: (e: PointerEvent<HTMLDivElement>) => {
      if (e.button !== 0) return
      const i = column(e.clientX, e.currentTarget)
      e.currentTarget.setPointerCapture(e.pointerId)
      setDrag({ from: i, to: i })
      setAt(i)
    },
    onPointerMove: (e: PointerEvent<HTMLDivElement>) => drag && setDrag({ ...drag, to: column(e.clientX, e.currentTarget) }),
    onPointerUp: finish,
    onPointerCancel: () => setDrag(undefined),
  }
  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={`${measure.title} Arrow keys go from day to day, with Shift they choose days, Escape lets go.`}
      aria-valuemin={1}
      aria-valuemax={days.length}
      aria-valuenow={cursor + 1}
      aria-valuetext={words(cursor)}
      className="group/days relative mx-3 mb-2 cursor-crosshair touch-pan-y select-none"
      style={{ height: HEIGHT }}
      onKeyDown={onKeyDown}
      {...pointer}
    >
      {width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden className="block">
          {axis.map((v) => (
            <g key={v}>
              <line x1={LEFT} x2={width - RIGHT} y1={y(v)} y2={y(v)} className={v === 0 ? 'stroke-line-strong' : 'stroke-line'} />
              <text x={LEFT - 8} y={y(v) + 4} textAnchor="end" className="fill-text-3 text-[11px] tabular-nums">
                {tickText(measure.format, v)}
              </text>
            </g>
          ))}
          {days.map((d, i) => {
            const v = values[i]
            const inside = !range || (d.day >= range.from && d.day <= range.to)
            const x = LEFT + i * step
            const w = Math.max(1, Math.min(step - Math.min(3, step * 0.25), 44))
            const bar = x + (step - w) / 2
            return (
              <g key={d.day} data-tip={words(i)}>
                <rect x={x} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} className="fill-transparent hover:fill-hover" />
                {v !== undefined && v > 0 && <rect x={bar} width={w} y={y(v)} height={Math.max(1, y(0) - y(v))} rx={Math.min(2, w / 3)} className={inside ? 'pointer-events-none fill-accent' : 'pointer-events-none fill-text-3/40'} />}
                {v === undefined && d.turns > 0 && (
                  <text x={x + step / 2} y={y(0) - 4} textAnchor="middle" className="pointer-events-none fill-text-3 text-[11px]">
                    {UNKNOWN}
                  </text>
                )}
              </g>
            )
          })}
          {labelled(days.length, Math.floor((width - LEFT) / 64)).map((i) => (
            <text key={i} x={LEFT + (i + 0.5) * step} y={HEIGHT - 6} textAnchor={i === days.length - 1 && step < 40 ? 'end' : 'middle'} className="fill-text-3 text-[11px]">
              {shortDay(days[i]!.day)}
            </text>
          ))}
          <rect x={LEFT + cursor * step} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} rx={2} className="pointer-events-none fill-none stroke-accent opacity-0 group-focus-visible/days:opacity-100" />
        </svg>
      )}
    </div>
  )
}

import { useNavigate } from '@tanstack/react-router'
import type { InsightSession } from '@/api/types'
import { along, useRoving } from '@/hooks/use-roving'
import { useWidth } from '@/hooks/use-width'
import { absolute } from '@/lib/format'
import type { AnyMeasure } from '../measures'
import { nameOf } from '../names'
import { tickText, ticks } from '../model'

const HEIGHT = 150
const TOP = 8
const BOTTOM = 8
const LEFT = 56
export const MOST_COLUMNS = 120

/**
 * A column per session, oldest first; a dashed line at the median. Each column opens its session; the chart is one stop of the
 * Tab key, in which arrows go from column to column.
 */
export function SessionChart({ sessions, measure }: { sessions: InsightSession[]; measure: AnyMeasure<InsightSession> }) {
  const [box, width] = useWidth<HTMLDivElement>()
  const navigate = useNavigate()
  const open = (s: InsightSession) => void navigate({ to: '/live', search: { session: s.id } })
  const shown = sessions.slice(0, MOST_COLUMNS).reverse()
  const roving = useRoving(shown.length, shown.length - 1, along(shown.length))
  const values = shown.map((s) => measure.value(s))
  const some = values.filter((v): v is number => v !== undefined).sort((a, b) => a - b)
  const median = some.length > 0 ? (some[Math.floor((some.length - 1) / 2)]! + some[Math.ceil((some.length - 1) / 2)]!) / 2 : undefined
  const axis = ticks(some.at(-1) ?? 0, 3)
  const y = (v: number) => TOP + (1 - v / axis.at(-1)!) * (HEIGHT - TOP - BOTTOM)
  const step = Math.max(0, width - LEFT) / Math.max(1, shown.length)
  const tip = (s: InsightSession, v: number | undefined) =>
    `${nameOf(s)}\n${v === undefined ? 'unknown' : `${measure.partial?.(s) ? '≥ ' : ''}${measure.format(v)} ${measure.unit}`}\n${absolute(s.startedAt)}`
  const summary = median === undefined ? 'unknown' : `median ${measure.format(median)}, most ${measure.format(some.at(-1)!)}`
  return (
    <div ref={box} className="mx-3 mb-2" style={{ height: HEIGHT }}>
      {width > 0 && (
        <svg role="group" {...roving.box} aria-label={`${measure.title} ${shown.length} sessions: ${summary} ${measure.unit}`} width={width} height={HEIGHT} className="block">
          {axis.map((v) => (
            <g key={v}>
              <line x1={LEFT} x2={width} y1={y(v)} y2={y(v)} className={v === 0 ? 'stroke-line-strong' : 'stroke-line'} />
              <text x={LEFT - 8} y={y(v) + 4} textAnchor="end" className="fill-text-3 text-[11px] tabular-nums">
                {tickText(measure.format, v)}
              </text>
            </g>
          ))}
          {shown.map((s, i) => {
            const v = values[i]
            const w = Math.max(1, Math.min(step - Math.min(2, step * 0.25), 24))
            return (
              <g key={s.id} role="link" aria-label={tip(s, v)} {...roving.item(i)} data-tip={tip(s, v)} className="group/bar cursor-pointer outline-none" onClick={() => open(s)} onKeyDown={(event) => event.key === 'Enter' && open(s)}>
                <rect x={LEFT + i * step} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} className="fill-transparent group-hover/bar:fill-hover group-focus-visible/bar:fill-hover group-focus-visible/bar:stroke-accent" />
                {v !== undefined && v > 0 && <rect x={LEFT + i * step + (step - w) / 2} width={w} y={y(v)} height={Math.max(1, y(0) - y(v))} rx={Math.min(1.5, w / 3)} className="fill-accent/75 group-hover/bar:fill-accent" />}
              </g>
            )
          })}
          {median !== undefined && shown.length > 2 && (
            <>
              <line x1={LEFT} x2={width} y1={y(median)} y2={y(median)} strokeDasharray="4 3" className="pointer-events-none stroke-text-2" />
              <text x={width - 2} y={y(median) < TOP + 14 ? y(median) + 13 : y(median) - 5} textAnchor="end" paintOrder="stroke" strokeWidth={4} strokeLinejoin="round" className="pointer-events-none fill-text stroke-panel text-[11px] tabular-nums">
                median {measure.format(median)}
              </text>
            </>
          )}
        </svg>
      )}
    </div>
  )
}

import { useNavigate } from '@tanstack/react-router'
import type { GroupDelta, MetricDelta, Spread } from '@/api/types'
import { inUnit } from '@/lib/delta'
import type { Scale } from '../dots'
import { scaleOf, swarm } from '../dots'

const WIDTH = 360
const LANE = 24
const AXIS = 14
const PAD = 6
const MANY = 60 // runs of a side; more are drawn smaller

/**
 * Two lanes with a dot per run and a line at the median. The band on B's lane is where B's median may lie: if A's line
 * is outside of it, the two can be told apart.
 */
export function DotStrip({ m, group }: { m: MetricDelta; group: GroupDelta }) {
  const values = [...group.a.runs, ...group.b.runs].map((r) => r.value)
  const scale = scaleOf(values, WIDTH, PAD)
  const text = inUnit(m.unit)
  const label = `${m.label}: A ${group.a.n} runs, median ${text(group.a.median)}; B ${group.b.n} runs, median ${text(group.b.median)}`
  const interval = group.interval
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${LANE * 2 + AXIS}`} width={WIDTH} height={LANE * 2 + AXIS} className="block h-auto max-w-full">
      <line x1={PAD} x2={WIDTH - PAD} y1={LANE * 2} y2={LANE * 2} className="stroke-line-strong" />
      <text x={PAD} y={LANE * 2 + 12} className="fill-text-3 text-[10px] tabular-nums">{text(scale.min)}</text>
      <text x={WIDTH - PAD} y={LANE * 2 + 12} textAnchor="end" className="fill-text-3 text-[10px] tabular-nums">{text(scale.max)}</text>
      {scale.log && <text x={WIDTH / 2} y={LANE * 2 + 12} textAnchor="middle" className="fill-text-3 text-[10px]">logarithmic</text>}
      {interval && (
        <Band scale={scale} from={group.a.median + interval.low} to={group.a.median + interval.high} told={group.told} tip={`95 % of the time B’s median is between ${text(group.a.median + interval.low)} and ${text(group.a.median + interval.high)}`} />
      )}
      <line x1={scale.at(group.a.median)} x2={scale.at(group.a.median)} y1={1} y2={LANE * 2 - 1} className="stroke-text-2" strokeDasharray="2 2" />
      <Lane spread={group.a} top={0} scale={scale} side="A" text={text} />
      <Lane spread={group.b} top={LANE} scale={scale} side="B" text={text} />
    </svg>
  )
}

function Band({ scale, from, to, told, tip }: { scale: Scale; from: number; to: number; told: boolean; tip: string }) {
  const [x1, x2] = [scale.at(from), scale.at(to)]
  return <rect data-tip={tip} x={x1} width={Math.max(x2 - x1, 2)} y={LANE + 1} height={LANE - 2} rx={3} strokeWidth={1} className={told ? 'fill-accent/30 stroke-accent/70' : 'fill-text-3/20 stroke-text-3/50'} />
}

function Lane({ spread, top, scale, side, text }: { spread: Spread; top: number; scale: Scale; side: 'A' | 'B'; text: (n: number) => string }) {
  const navigate = useNavigate()
  const middle = top + LANE / 2
  const x = scale.at(spread.median)
  const radius = spread.n > MANY ? 2 : 2.75
  return (
    <g>
      {swarm(spread.runs, scale.at, radius, LANE / 2 - radius - 1.5).map((d) => (
        <circle
          key={d.session}
          cx={d.x}
          cy={middle + d.y}
          r={radius}
          data-tip={`${side}: ${text(d.value)}\nClick to open the session`}
          className={side === 'A' ? 'cursor-pointer fill-text-3/60 hover:fill-text' : 'cursor-pointer fill-accent/60 hover:fill-accent'}
          onClick={() => void navigate({ to: '/live', search: { session: d.session } })}
        />
      ))}
      {spread.n > 0 && <rect data-tip={`${side}’s median: ${text(spread.median)}`} x={x - 2} width={4} y={top + 1} height={LANE - 2} rx={1.5} strokeWidth={1.5} className={side === 'A' ? 'fill-text stroke-panel' : 'fill-accent stroke-panel'} />}
    </g>
  )
}

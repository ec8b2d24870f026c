import { useNavigate } from '@tanstack/react-router'
import type { GroupDelta, MetricDelta, Spread } from '@/api/types'
import { inUnit } from '@/lib/delta'
import type { Scale } from '../dots'
import { scaleOf, swarm } from '../dots'

const WIDTH = 360
const LANE = 22
const PAD = 6
const RADIUS = 2.5

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
    <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${LANE * 2}`} width={WIDTH} height={LANE * 2} className="block max-w-full">
      <line x1={PAD} x2={WIDTH - PAD} y1={LANE} y2={LANE} className="stroke-line" />
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
  return <rect data-tip={tip} x={x1} width={Math.max(x2 - x1, 2)} y={LANE + 1} height={LANE - 2} rx={3} className={told ? 'fill-accent/35' : 'fill-text-3/25'} />
}

function Lane({ spread, top, scale, side, text }: { spread: Spread; top: number; scale: Scale; side: 'A' | 'B'; text: (n: number) => string }) {
  const navigate = useNavigate()
  const middle = top + LANE / 2
  const x = scale.at(spread.median)
  return (
    <g>
      {swarm(spread.runs, scale.at, RADIUS, LANE / 2 - RADIUS - 1.5).map((d) => (
        <circle
          key={d.session}
          cx={d.x}
          cy={middle + d.y}
          r={RADIUS}
          data-tip={`${side}: ${text(d.value)}\nClick to open the session`}
          className={side === 'A' ? 'cursor-pointer fill-panel stroke-text-2 hover:fill-text-2' : 'cursor-pointer fill-accent/80 stroke-accent hover:fill-accent'}
          onClick={() => void navigate({ to: '/live', search: { session: d.session } })}
        />
      ))}
      {spread.n > 0 && <line data-tip={`${side}’s median: ${text(spread.median)}`} x1={x} x2={x} y1={top + 1} y2={top + LANE - 1} strokeWidth={2.5} className={side === 'A' ? 'stroke-text' : 'stroke-accent'} />}
    </g>
  )
}

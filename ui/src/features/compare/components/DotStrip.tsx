import { useNavigate } from '@tanstack/react-router'
import type { GroupDelta, MetricDelta, Spread } from '@/api/types'
import { useRoving } from '@/hooks/use-roving'
import { cn } from '@/lib/cn'
import { inUnit } from '@/lib/delta'
import type { Dot, Scale } from '../dots'
import { scaleOf, stepDot, swarm } from '../dots'

const WIDTH = 360
const LANE = 24
const AXIS = 14
const PAD = 6
const MANY = 60 // runs of a side; more are drawn smaller

/**
 * Two lanes with a dot per run and a line at the median. The band on B's lane is where B's median may lie: if A's line
 * is outside of it, the two can be told apart. One stop of the Tab key; arrows go from run to run, Enter opens one.
 */
export function DotStrip({ m, group }: { m: MetricDelta; group: GroupDelta }) {
  const values = [...group.a.runs, ...group.b.runs].map((r) => r.value)
  const scale = scaleOf(values, WIDTH, PAD)
  const text = inUnit(m.unit)
  const label = `${m.label}: A ${group.a.n} runs, median ${text(group.a.median)}; B ${group.b.n} runs, median ${text(group.b.median)}`
  const interval = group.interval
  const [a, b] = [dotsOf(group.a, scale), dotsOf(group.b, scale)]
  const roving = useRoving(a.length + b.length, 0, stepDot(a, b))
  return (
    <svg role="group" aria-label={label} {...roving.box} viewBox={`0 0 ${WIDTH} ${LANE * 2 + AXIS}`} width={WIDTH} height={LANE * 2 + AXIS} className="block h-auto max-w-full">
      <line x1={PAD} x2={WIDTH - PAD} y1={LANE * 2} y2={LANE * 2} className="stroke-line-strong" />
      <text x={PAD} y={LANE * 2 + 12} className="fill-text-3 text-[10px] tabular-nums">{text(scale.min)}</text>
      <text x={WIDTH - PAD} y={LANE * 2 + 12} textAnchor="end" className="fill-text-3 text-[10px] tabular-nums">{text(scale.max)}</text>
      {scale.log && <text x={WIDTH / 2} y={LANE * 2 + 12} textAnchor="middle" className="fill-text-3 text-[10px]">logarithmic</text>}
      {interval && (
        <Band scale={scale} from={group.a.median + interval.low} to={group.a.median + interval.high} told={group.told} tip={`95 % of the time B’s median is between ${text(group.a.median + interval.low)} and ${text(group.a.median + interval.high)}`} />
      )}
      <line x1={scale.at(group.a.median)} x2={scale.at(group.a.median)} y1={1} y2={LANE * 2 - 1} className="stroke-text-2" strokeDasharray="2 2" />
      <Lane spread={group.a} dots={a} top={0} scale={scale} side="A" text={text} focus={roving.item} />
      <Lane spread={group.b} dots={b} top={LANE} scale={scale} side="B" text={text} focus={(i) => roving.item(a.length + i)} />
    </svg>
  )
}

function Band({ scale, from, to, told, tip }: { scale: Scale; from: number; to: number; told: boolean; tip: string }) {
  const [x1, x2] = [scale.at(from), scale.at(to)]
  return <rect data-tip={tip} x={x1} width={Math.max(x2 - x1, 2)} y={LANE + 1} height={LANE - 2} rx={3} strokeWidth={1} className={told ? 'fill-accent/30 stroke-accent/70' : 'fill-text-3/20 stroke-text-3/50'} />
}

const radiusOf = (spread: Spread) => (spread.n > MANY ? 2 : 2.75)

function dotsOf(spread: Spread, scale: Scale): Dot[] {
  const radius = radiusOf(spread)
  return swarm(spread.runs, scale.at, radius, LANE / 2 - radius - 1.5)
}

interface LaneProps {
  spread: Spread
  dots: Dot[]
  top: number
  scale: Scale
  side: 'A' | 'B'
  text: (n: number) => string
  focus: ReturnType<typeof useRoving>['item']
}

function Lane({ spread, dots, top, scale, side, text, focus }: LaneProps) {
  const navigate = useNavigate()
  const middle = top + LANE / 2
  const x = scale.at(spread.median)
  const open = (session: string) => void navigate({ to: '/live', search: { session } })
  return (
    <g>
      {dots.map((d, i) => (
        <circle
          key={d.session}
          role="link"
          aria-label={`${side}: ${text(d.value)}`}
          {...focus(i)}
          cx={d.x}
          cy={middle + d.y}
          r={radiusOf(spread)}
          data-tip={`${side}: ${text(d.value)}\nOpen the session`}
          className={cn('cursor-pointer outline-none focus-visible:stroke-accent focus-visible:[stroke-width:3]', side === 'A' ? 'fill-text-3/60 hover:fill-text focus-visible:fill-text' : 'fill-accent/60 hover:fill-accent focus-visible:fill-text')}
          onClick={() => open(d.session)}
          onKeyDown={(event) => event.key === 'Enter' && open(d.session)}
        />
      ))}
      {spread.n > 0 && <rect data-tip={`${side}’s median: ${text(spread.median)}`} x={x - 2} width={4} y={top + 1} height={LANE - 2} rx={1.5} strokeWidth={1.5} className={cn('stroke-panel', side === 'A' ? 'fill-text' : 'fill-accent')} />}
    </g>
  )
}

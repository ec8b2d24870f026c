import type { MetricDelta } from '@/api/types'
import { cn } from '@/lib/cn'
import { valueText } from '@/lib/delta'
import { UNKNOWN } from '@/lib/format'
import { sectionsOf } from '../model'
import { Delta } from './Delta'
import { DotStrip } from './DotStrip'
import { SideMark } from './SideMark'

/** Every number as it spread over the runs of both groups, with what can be said of the difference. */
export function GroupTable({ metrics }: { metrics: MetricDelta[] }) {
  return (
    <div className="flex flex-col gap-4">
      {sectionsOf(metrics).map((section) => (
        <section key={section.title} aria-label={section.title}>
          <h4 className="mb-1 text-small text-text-3">{section.title}</h4>
          <ul className="divide-y rounded-md border bg-panel">
            {section.metrics.map((m) => (
              <Row key={m.key} m={m} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Row({ m }: { m: MetricDelta }) {
  const group = m.group
  const flat = group && group.a.min === group.b.min && group.a.max === group.b.max && group.a.min === group.a.max
  const left = (group?.a.leftOut ?? 0) + (group?.b.leftOut ?? 0)
  return (
    <li className="grid grid-cols-[9rem_minmax(0,360px)_minmax(0,1fr)] items-center gap-x-4 px-3 py-1.5 max-md:grid-cols-1">
      <div className="min-w-0">
        <div className="font-medium">{m.label}</div>
        <div className="flex gap-3 text-small tabular-nums">
          <Median m={m} side="a" />
          <Median m={m} side="b" />
        </div>
      </div>
      {group && !flat && group.a.n + group.b.n > 0 ? <DotStrip m={m} group={group} /> : <span className="text-small text-text-3">{flat ? 'the same in every run' : ''}</span>}
      <div className="min-w-0 tabular-nums">
        {!flat && (
          <div className="flex gap-2">
            <Delta m={m} />
          </div>
        )}
        <p className={cn('text-small first-letter:uppercase', group?.told ? 'text-text' : 'text-text-3')}>{((m.delta === null && m.reason) || (flat ? '' : (group?.sentence ?? ''))).replaceAll(' %', '\u00a0%')}</p>
        {left > 0 && <p className="text-small text-text-3">{left} left out: the log does not say exactly.</p>}
      </div>
    </li>
  )
}

function Median({ m, side }: { m: MetricDelta; side: 'a' | 'b' }) {
  const text = valueText(m[side], m.unit)
  return (
    <span className={cn('flex items-center gap-1', text === UNKNOWN && 'text-text-3')} data-tip={`Median of ${side.toUpperCase()}’s runs`}>
      <SideMark side={side} small />
      <span className="sr-only">{side.toUpperCase()}, median</span>
      {text}
    </span>
  )
}

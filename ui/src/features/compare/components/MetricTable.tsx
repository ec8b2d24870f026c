import type { MetricDelta } from '@/api/types'
import { measureTip } from '@/components/Sourced'
import { UNKNOWN } from '@/lib/format'
import { valueText } from '@/lib/delta'
import { cn } from '@/lib/cn'
import { sectionsOf } from '../model'
import { Delta, DeltaPercent, LeanBar } from './Delta'
import { SideMark } from './SideMark'

const th = 'h-8 px-2 text-right font-normal text-text-3'

/** Every number of the two sides and what lies between them. */
export function MetricTable({ metrics }: { metrics: MetricDelta[] }) {
  return (
    <table className="w-full tabular-nums md:table-fixed">
      <caption className="sr-only">Numbers of A and B, and B minus A</caption>
      <thead>
        <tr className="border-b text-small">
          <th scope="col" className={cn(th, 'text-left')}>
            <span className="sr-only">Number</span>
          </th>
          <th scope="col" className={cn(th, 'md:w-28')}>
            <span className="inline-flex"><SideMark side="a" small /></span>
            <span className="sr-only">A</span>
          </th>
          <th scope="col" className={cn(th, 'md:w-28')}>
            <span className="inline-flex"><SideMark side="b" small /></span>
            <span className="sr-only">B</span>
          </th>
          <th scope="col" className={cn(th, 'md:w-44')}>B − A</th>
          <th scope="col" className={cn(th, 'w-16 max-sm:hidden')}>of A</th>
          <th scope="col" className={cn(th, 'w-40 max-md:hidden')}>
            <span className="flex justify-between px-1"><span>less</span><span>more</span></span>
          </th>
        </tr>
      </thead>
      {sectionsOf(metrics).map((section) => (
        <tbody key={section.title} className="border-b last:border-0">
          <tr>
            <th scope="rowgroup" colSpan={6} className="px-2 pt-2.5 pb-0.5 text-left text-small font-normal text-text-3">
              {section.title}
            </th>
          </tr>
          {section.metrics.map((m) => (
            <MetricRow key={m.key} m={m} />
          ))}
        </tbody>
      ))}
    </table>
  )
}

function MetricRow({ m }: { m: MetricDelta }) {
  return (
    <tr className={cn('hover:bg-hover', m.verdict === 'same' && 'text-text-2')}>
      <th scope="row" className="h-7 px-2 text-left font-normal">{m.label}</th>
      <Value m={m} side="a" />
      <Value m={m} side="b" />
      {m.delta === null && m.reason ? (
        <td colSpan={3} className="px-2 py-1 text-right text-small text-text-3 md:pr-3">not subtracted: {m.reason}</td>
      ) : (
        <>
          <td className="px-2 text-right">
            <Delta m={m} />
            <span className="block text-small sm:hidden"><DeltaPercent m={m} /></span>
          </td>
          <td className="px-2 text-right max-sm:hidden"><DeltaPercent m={m} /></td>
          <td className="px-3 max-md:hidden"><LeanBar m={m} /></td>
        </>
      )}
    </tr>
  )
}

function Value({ m, side }: { m: MetricDelta; side: 'a' | 'b' }) {
  const text = valueText(m[side], m.unit)
  const tip = m[side] ? (m.unit === 'tokens' || m.unit === 'count' || m.unit === 'lines' ? measureTip(m[side], m.label) : undefined) : `${side.toUpperCase()} is not billed in this unit.`
  return (
    <td className={cn('px-2 text-right whitespace-nowrap', text === UNKNOWN && 'text-text-3')} data-tip={tip}>
      {text}
    </td>
  )
}

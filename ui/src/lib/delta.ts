import type { Measure, MetricDelta } from '@/api/types'
import { UNKNOWN, amount, compact, duration, measured, usd } from './format'

const NBSP = '\u00a0'

/** A share of one as percent: 0.0712 → "7.1 %"; nothing but zero is "0 %". */
export function percent(share: number): string {
  const p = share * 100
  if (p === 0) return `0${NBSP}%`
  if (Math.abs(p) < 0.05) return `<0.1${NBSP}%`
  return `${Math.abs(p) < 9.95 ? p.toFixed(1) : Math.round(p)}${NBSP}%`
}

/** A share that may be unknown. */
export function share(n: number | null | undefined): string {
  return n === null || n === undefined ? UNKNOWN : percent(n)
}

type Unit = MetricDelta['unit']

/** A number in its unit. */
export function inUnit(unit: Unit): (n: number) => string {
  switch (unit) {
    case 'ratio':
      return percent
    case 'usd':
      return usd
    case 'ms':
      return duration
    case 'premiumRequests':
    case 'credits':
      return amount
    default:
      return (n) => (Number.isInteger(n) || Math.abs(n) >= 100 ? compact(n) : amount(n))
  }
}

/** A measure in its unit. A rate of a part is no lower bound: "≈ 25 %". */
export function valueText(m: Measure | undefined, unit: Unit): string {
  return unit === 'ratio' && m?.quality === 'partial' ? `≈${NBSP}${percent(m.value)}` : measured(m, inUnit(unit))
}

/** A difference with its sign: "+3 calls" is written "+3", a ratio's in points of percent. */
export function signed(n: number, unit: Unit): string {
  if (n === 0) return '0'
  const sign = n > 0 ? '+' : '−'
  if (unit === 'ratio') return `${sign}${(Math.abs(n) * 100).toFixed(Math.abs(n) < 0.0995 ? 1 : 0)}${NBSP}pp`
  return sign + inUnit(unit)(Math.abs(n))
}

/** A relative difference: "−18 %", "+1.5 %", or "×60" where percent no longer says anything. */
export function signedPercent(p: number | null): string {
  if (p === null) return ''
  if (p >= 1000) return `×${compact(Math.round(1 + p / 100))}`
  const abs = Math.abs(p)
  if (abs < 0.05) return `0${NBSP}%`
  return `${p > 0 ? '+' : '−'}${abs < 9.95 ? abs.toFixed(1) : Math.round(abs)}${NBSP}%`
}

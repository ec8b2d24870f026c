import type { Session } from '@/api/types'
import { amount, measured, plural, usd } from '@/lib/format'
import type { Measure } from '@/api/types'

export { placeOfSession, sizeOf, titleOf } from '@/lib/session'

export interface Cost {
  text: string
  tip: string
  known: boolean
}

/** What it cost in the agent's own units, which are never converted into one another. */
export function costs(session: Pick<Session, 'treeTotals'>): Cost[] {
  const { premiumRequests, credits, costUsd } = session.treeTotals
  const cost = (m: Measure, text: string, what: string): Cost => ({ text, tip: quality(m, what), known: m.quality !== 'unknown' })
  const out: Cost[] = []
  if (premiumRequests) out.push(cost(premiumRequests, unit(premiumRequests, 'premium request'), 'Premium requests'))
  if (credits) out.push(cost(credits, unit(credits, 'AI credit'), 'AI credits'))
  if (costUsd) out.push(cost(costUsd, measured(costUsd, usd), 'US dollars, as far as known'))
  return out
}

function unit(m: Measure, name: string): string {
  if (m.quality === 'exact' && Number.isInteger(m.value)) return plural(m.value, name)
  return `${measured(m, amount)}\u00a0${name}s`
}

function quality(m: Measure, what: string): string {
  if (m.quality === 'unknown') return `${what}: unknown. The log does not say.`
  return m.quality === 'partial' ? `${what}: at least this many.` : what
}

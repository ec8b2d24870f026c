import type { InsightDay, InsightSession, Measure } from '@/api/types'
import { percent } from '@/lib/delta'
import { amount, compact, duration, usd } from '@/lib/format'

/** A number of a day or a session; undefined where the log does not say. */
interface Kind<T, K extends string> {
  key: K
  name: string // in a menu
  title: string // the question that the chart answers
  value: (row: T) => number | undefined
  partial?: (row: T) => boolean
  format: (n: number) => string
  unit: string // of the axis
}

const known = (m: Measure | undefined): number | undefined => (!m || m.quality === 'unknown' ? undefined : m.value)
const half = (m: Measure | undefined): boolean => m?.quality === 'partial'

export type DayMeasure = 'tokens' | 'cost' | 'premium' | 'turns' | 'calls' | 'failRate' | 'cacheHitRate' | 'flags'

export const dayMeasures: Kind<InsightDay, DayMeasure>[] = [
  { key: 'tokens', name: 'Tokens', title: 'How many tokens per day?', value: (d) => known(d.totalTokens), partial: (d) => half(d.totalTokens), format: compact, unit: 'tokens' },
  { key: 'cost', name: 'Cost', title: 'What did each day cost?', value: (d) => known(d.costUsd), partial: (d) => half(d.costUsd), format: usd, unit: 'US dollars' },
  { key: 'premium', name: 'Premium requests', title: 'How many premium requests per day?', value: (d) => known(d.premiumRequests), partial: (d) => half(d.premiumRequests), format: amount, unit: 'premium requests' },
  { key: 'turns', name: 'Turns', title: 'How many turns per day?', value: (d) => d.turns, format: compact, unit: 'turns' },
  { key: 'calls', name: 'Calls', title: 'How many calls per day?', value: (d) => d.calls, format: compact, unit: 'calls' },
  { key: 'failRate', name: 'Failures', title: 'How often did calls fail, day by day?', value: (d) => d.failRate ?? undefined, format: percent, unit: 'of calls' },
  { key: 'cacheHitRate', name: 'Cache hits', title: 'How much was read from the cache, day by day?', value: (d) => known(d.cacheHitRate), partial: (d) => half(d.cacheHitRate), format: percent, unit: 'of input' },
  { key: 'flags', name: 'Flags', title: 'How many flags per day?', value: (d) => d.flags, format: compact, unit: 'flags' },
]

export type SessionMeasure = 'toolsPerTurn' | 'turns' | 'input' | 'tokens' | 'premium' | 'cost' | 'wall'

const context = (s: InsightSession): Measure[] => [s.tokens.input, s.tokens.cacheRead, s.tokens.cacheWrite5m, s.tokens.cacheWrite1h]

export const sessionMeasures: Kind<InsightSession, SessionMeasure>[] = [
  { key: 'toolsPerTurn', name: 'Tools per turn', title: 'How many calls does a turn take?', value: (s) => s.toolsPerTurn ?? undefined, format: (n) => amount(Number(n.toFixed(1))), unit: 'calls per turn' },
  { key: 'turns', name: 'Turns', title: 'How many turns does a session take?', value: (s) => s.turns, format: compact, unit: 'turns' },
  {
    key: 'input',
    name: 'Input tokens',
    title: 'How much input does a session take?',
    value: (s) => (context(s).every((m) => m.quality === 'unknown') ? undefined : context(s).reduce((n, m) => n + m.value, 0)),
    partial: (s) => context(s).some((m) => m.quality !== 'exact'),
    format: compact,
    unit: 'input tokens',
  },
  { key: 'tokens', name: 'Tokens', title: 'How many tokens does a session take?', value: (s) => known(s.totalTokens), partial: (s) => half(s.totalTokens), format: compact, unit: 'tokens' },
  { key: 'premium', name: 'Premium requests', title: 'How many premium requests does a session take?', value: (s) => known(s.premiumRequests), partial: (s) => half(s.premiumRequests), format: amount, unit: 'premium requests' },
  { key: 'cost', name: 'Cost', title: 'What does a session cost?', value: (s) => known(s.costUsd), partial: (s) => half(s.costUsd), format: usd, unit: 'US dollars' },
  { key: 'wall', name: 'Time', title: 'How long do a session’s turns take?', value: (s) => s.wallMs, format: duration, unit: 'in turns' },
]

export type AnyMeasure<T> = Kind<T, string>

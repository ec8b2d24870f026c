import type { InsightDay, Insights, Measure } from '@/api/types'
import { measureTip } from '@/components/Sourced'
import { Sparkline } from '@/components/Sparkline'
import { share, valueText } from '@/lib/delta'
import { amount, compact, measured, plural, usd, whole } from '@/lib/format'
import { tokenTip } from '@/lib/tokens'

interface Figure {
  name: string
  value: string
  note: string
  tip?: string
  values: number[]
}

/** The five numbers that everything below explains, each with its course over the days. */
export function Strip({ data }: { data: Insights }) {
  return (
    <dl className="grid grid-cols-5 gap-px overflow-hidden rounded-md border bg-line max-lg:grid-cols-6 max-lg:*:col-span-2 max-lg:*:nth-[n+4]:col-span-3 max-sm:*:col-span-3 max-sm:*:last:col-span-6">
      {figures(data).map((f) => (
        <div key={f.name} className="relative min-w-0 bg-panel px-3 py-2" data-tip={f.tip}>
          <dt className="truncate text-small text-text-3">{f.name}</dt>
          <dd className="text-[18px]/6 font-semibold whitespace-nowrap tabular-nums">{f.value}</dd>
          <dd className="truncate text-small text-text-2 tabular-nums">{f.note}</dd>
          {f.values.length > 1 && (
            <dd className="absolute top-3 right-3 max-sm:hidden">
              <Sparkline values={f.values} label={`${f.name} over ${plural(f.values.length, 'day')}`} width={72} height={28} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

const billed = (m: Measure | undefined) => m !== undefined && m.quality !== 'unknown' && m.value > 0

// A spark is drawn against 1 at least.
const rate = (n: number | null | undefined) => (n ?? 0) * 1000

function figures(data: Insights): Figure[] {
  const { summary: s, days } = data
  const over = (value: (d: InsightDay) => number | null | undefined) => days.map((d) => value(d) ?? 0)
  const costs = [billed(s.premiumRequests) && `${measured(s.premiumRequests, amount)} premium requests`, billed(s.credits) && `${measured(s.credits, amount)} AI credits`]
  return [
    { name: 'Sessions', value: whole(s.sessions), note: `${plural(s.turns, 'turn')} · ${plural(s.calls, 'call')}`, values: over((d) => d.turns) },
    { name: 'Tokens', value: measured(s.totalTokens), note: `${measured(s.tokens.output)} output`, tip: tokenTip(s.tokens), values: over((d) => d.totalTokens.value) },
    {
      name: 'Cost',
      value: measured(s.costUsd, usd),
      note: costs.filter(Boolean).join(' · ') || `prices of ${data.pricesDate}`,
      tip: s.costUsd?.quality === 'partial' ? 'At least: some models have no known price, or their log does not tell all tokens.' : 'US dollars, from the tokens and each model’s prices.',
      values: over((d) => d.costUsd?.value),
    },
    { name: 'Calls that failed', value: share(s.failRate), note: `${compact(s.failedCalls)} of ${compact(s.calls)}`, values: over((d) => rate(d.failRate)) },
    { name: 'Cache hits', value: valueText(s.cacheHitRate, 'ratio'), note: `${measured(s.tokens.cacheRead)} tokens read from it`, tip: measureTip(s.tokens.cacheRead, 'Read from cache'), values: over((d) => rate(d.cacheHitRate?.value)) },
  ]
}

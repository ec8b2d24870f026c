import type { ModelUse } from '@/api/types'
import { valueText } from '@/lib/delta'
import { UNKNOWN, measured, plural, usd } from '@/lib/format'
import { tokenTip } from '@/lib/tokens'
import { byCost, isPriced } from '../model'
import { useSetSearch } from '../use-insights'
import type { BarRow } from './Bars'
import { Bars } from './Bars'

const MOST = 10

/** Each model's cost; where no price is known, its tokens still are. */
export function ModelBars({ models }: { models: ModelUse[] }) {
  const set = useSetSearch()
  const rows = byCost(models)
  const most = Math.max(1e-9, ...rows.filter(isPriced).map((m) => m.costUsd!.value))
  const bars = rows.slice(0, MOST).map((m): BarRow => {
    const priced = isPriced(m)
    return {
      key: m.model,
      label: m.model || 'model not in the log',
      share: priced ? m.costUsd!.value / most : undefined,
      text: priced ? measured(m.costUsd, usd) : UNKNOWN,
      note: `${measured(m.totalTokens)} tok`,
      fill: 'bg-accent',
      tip: `${m.model || 'The log does not name the model.'}\n${priced ? '' : 'No price is known for it.\n'}${plural(m.roundTrips, 'round trip')} in ${plural(m.sessions, 'session')}\nRead from the cache: ${valueText(m.cacheHitRate, 'ratio')}\n${tokenTip(m.tokens)}`,
      ...(m.model ? { onClick: () => set({ model: m.model }), clickLabel: `Only ${m.model}` } : {}),
    }
  })
  return <Bars rows={bars} label="Cost by model" />
}

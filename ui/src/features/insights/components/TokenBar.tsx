import type { Insights } from '@/api/types'
import { percent } from '@/lib/delta'
import { compact } from '@/lib/format'
import { tokenParts } from '../model'
import { Bars } from './Bars'

const fills: Record<string, string> = { cacheRead: 'bg-ok', cacheWrite: 'bg-warn', input: 'bg-fail', output: 'bg-accent' }

/** What the tokens were: read again from the cache, written to it, new, or the model's own. */
export function TokenBar({ tokens }: { tokens: Insights['summary']['tokens'] }) {
  const parts = tokenParts(tokens)
  const most = parts[0]?.share ?? 1
  if (parts.length === 0) return <p className="px-3 pb-3 text-text-2">The logs name no tokens.</p>
  return (
    <Bars
      label="Tokens by kind"
      rows={parts.map((p) => ({
        key: p.key,
        label: p.label,
        share: p.share / most,
        text: percent(p.share),
        note: `${p.partial ? '≥ ' : ''}${compact(p.value)}`,
        fill: fills[p.key]!,
      }))}
    />
  )
}

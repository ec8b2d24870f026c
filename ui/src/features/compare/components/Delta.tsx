import { ArrowDown, ArrowUp, Equal } from 'lucide-react'
import type { MetricDelta } from '@/api/types'
import { cn } from '@/lib/cn'
import { deltaText, lean, percentText, verdictWords } from '../model'

const tones: Record<MetricDelta['verdict'], string> = {
  better: 'text-ok',
  worse: 'text-fail',
  same: 'text-text-3',
  neutral: 'text-text-2',
  unknown: 'text-text-3',
}

/** B − A with an arrow, coloured by whether B is better; the words are read aloud and shown on hover. */
export function Delta({ m }: { m: MetricDelta }) {
  const words = verdictWords[m.verdict]
  const tip = [m.label, words, m.reason].filter(Boolean).join('\n')
  if (m.delta === null) {
    return (
      <span data-tip={tip} className="text-small text-text-3">
        — <span className="sr-only">{m.reason}</span>
      </span>
    )
  }
  const Icon = m.delta === 0 ? Equal : m.delta > 0 ? ArrowUp : ArrowDown
  return (
    <span data-tip={tip} className={cn('inline-flex items-center justify-end gap-1 whitespace-nowrap', tones[m.verdict])}>
      <Icon size={12} aria-hidden className="shrink-0" />
      {m.delta === 0 ? 'same' : deltaText(m)}
      <span className="sr-only">, {words}</span>
    </span>
  )
}

export function DeltaPercent({ m }: { m: MetricDelta }) {
  return <span className={cn('whitespace-nowrap', tones[m.verdict])}>{percentText(m)}</span>
}

const fills: Partial<Record<MetricDelta['verdict'], string>> = { better: 'bg-ok', worse: 'bg-fail', neutral: 'bg-text-3' }

/** How far B is off A, left for less and right for more; half or twice as much reaches the end. */
export function LeanBar({ m }: { m: MetricDelta }) {
  const share = lean(m)
  return (
    <span aria-hidden className="relative block h-2.5 w-full">
      <span className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
      {share !== 0 && (
        <span
          className={cn('absolute inset-y-0.5 rounded-xs', fills[m.verdict] ?? 'bg-text-3')}
          style={share < 0 ? { right: '50%', width: `${-share * 50}%` } : { left: '50%', width: `${share * 50}%` }}
        />
      )}
    </span>
  )
}

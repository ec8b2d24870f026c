import type { Measure, Tokens } from '@/api/types'

/** Adds measures: exact only if all are; with one unknown, what is known is a lower bound. */
export function sum(...all: Measure[]): Measure {
  const value = all.reduce((total, m) => total + m.value, 0)
  const qualities = new Set(all.map((m) => m.quality))
  if (qualities.size === 1) return { value, quality: all[0]!.quality }
  return { value, quality: value === 0 ? 'unknown' : 'partial' }
}

/** Everything that the model read. */
export function contextOf(t: Tokens): Measure {
  return sum(t.input, t.cacheRead, t.cacheWrite5m, t.cacheWrite1h)
}

/** Everything that the model read and wrote. Reasoning is part of the output. */
export function totalOf(t: Tokens): Measure {
  return sum(contextOf(t), t.output)
}

export const tokenClasses: { key: keyof Tokens; label: string; short: string }[] = [
  { key: 'input', label: 'Input, not cached', short: 'in' },
  { key: 'cacheRead', label: 'Read from cache', short: 'cache read' },
  { key: 'cacheWrite5m', label: 'Written to cache, 5 min', short: 'cache 5m' },
  { key: 'cacheWrite1h', label: 'Written to cache, 1 h', short: 'cache 1h' },
  { key: 'output', label: 'Output', short: 'out' },
  { key: 'reasoning', label: 'Reasoning (part of output)', short: 'reasoning' },
]

/** The classes as lines for a hover. */
export function tokenTip(t: Tokens): string {
  return tokenClasses
    .map(({ key, label }) => {
      const m = t[key]
      const n = m.value.toLocaleString('en-US')
      return `${label}: ${m.quality === 'unknown' ? '—' : m.quality === 'partial' ? `≥ ${n}` : n}`
    })
    .join('\n')
}

import type { Ribbon } from '@/api/flow'
import { categories } from '@/components/categories'
import { flagLooks } from '@/components/flags'
import { clockTime, duration, plural } from '@/lib/format'
import { flagsOf } from './ribbon'

/** A turn of the ribbon in up to four lines. */
export function wordsOf(ribbon: Ribbon, at: number): string[] {
  const t = ribbon.turns[at]!
  const calls = t.calls.flatMap((n, i) => (n > 0 ? [`${categories[ribbon.categories[i]!].label.toLowerCase()} ${n}`] : []))
  const wall = t.startedAt > 0 && t.endedAt > t.startedAt ? duration(t.endedAt - t.startedAt) : ''
  return [
    [`Turn ${t.index + 1}`, t.status === 'ok' ? '' : t.status, wall, t.startedAt > 0 ? clockTime(t.startedAt) : ''].filter(Boolean).join(' · '),
    [plural(t.roundTrips, 'round trip'), plural(t.n, 'call')].join(' · '),
    calls.join(' · '),
    [t.failed > 0 ? `${t.failed} failed` : '', t.compactions > 0 ? plural(t.compactions, 'compaction') : '', ...flagsOf(ribbon, t.flags).map((f) => `⚑ ${flagLooks[f].label}`)].filter(Boolean).join(' · '),
  ].filter(Boolean)
}

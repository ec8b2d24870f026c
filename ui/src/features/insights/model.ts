import type { InsightDay, InsightSession, Insights, Measure, ModelUse, ToolStat } from '@/api/types'

/** Round numbers from 0 to at least max for an axis, about `count` of them. */
export function ticks(max: number, count = 4): number[] {
  if (!(max > 0)) return [0, 1]
  const raw = max / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= raw * 0.999) ?? 10 * power
  const n = Math.ceil((max / step) * 0.9999)
  return Array.from({ length: n + 1 }, (_, i) => Number((i * step).toPrecision(12)))
}

/** A tick's words: 50.0 M is 50 M on an axis. */
export function tickText(format: (n: number) => string, n: number): string {
  return format(n).replace(/\.0+(?=\u00a0|$)/, '')
}

/** Which of n labels stand under an axis so that at most `room` do, the last one always. */
export function labelled(n: number, room: number): number[] {
  if (n === 0) return []
  const step = Math.max(1, Math.ceil(n / Math.max(1, room)))
  const out: number[] = []
  for (let i = n - 1; i >= 0; i -= step) out.unshift(i)
  return out
}

export interface Bar {
  key: string
  label: string
  share: number // of the longest, 0…1
  text: string
  note: string
}

export const FEW_CALLS = 5

/** The tools whose calls fail most often; rates of a handful of calls mean nothing and come last. */
export function failing(tools: ToolStat[], most = 8): ToolStat[] {
  const failed = tools.filter((t) => t.failed > 0)
  const often = failed.filter((t) => t.calls >= FEW_CALLS).sort((a, b) => b.failRate - a.failRate || b.failed - a.failed)
  const few = failed.filter((t) => t.calls < FEW_CALLS).sort((a, b) => b.failed - a.failed)
  return [...often, ...few].slice(0, most)
}

/** Dearest first; then those without a price, by tokens. */
export function byCost(models: ModelUse[]): ModelUse[] {
  const cost = (m: ModelUse) => (isPriced(m) ? m.costUsd!.value : -1)
  return [...models].sort((a, b) => cost(b) - cost(a) || b.totalTokens.value - a.totalTokens.value)
}

export function isPriced(m: ModelUse): boolean {
  return m.priced && m.costUsd !== undefined && m.costUsd.quality !== 'unknown'
}

/** Where the tokens of a summary went: parts of the whole, largest first, without what is nothing. */
export function tokenParts(t: Insights['summary']['tokens']): { key: string; label: string; value: number; share: number; partial: boolean }[] {
  const parts: [string, string, Measure[]][] = [
    ['cacheRead', 'read from cache', [t.cacheRead]],
    ['cacheWrite', 'written to cache', [t.cacheWrite5m, t.cacheWrite1h]],
    ['input', 'input, not cached', [t.input]],
    ['output', 'output', [t.output]],
  ]
  const rows = parts.map(([key, label, ms]) => ({ key, label, value: ms.reduce((n, m) => n + m.value, 0), partial: ms.some((m) => m.quality !== 'exact') }))
  const total = rows.reduce((n, r) => n + r.value, 0)
  return rows.filter((r) => r.value > 0).map((r) => ({ ...r, share: r.value / total })).sort((a, b) => b.value - a.value)
}

export interface Facets {
  agents: string[]
  repos: string[]
  branches: string[]
  models: string[]
  labels: string[]
}

/** Models by how many sessions used them, not only as their last one. */
function byUse(models: ModelUse[]): string[] {
  return models.filter((m) => m.model !== '').sort((a, b) => b.sessions - a.sessions || a.model.localeCompare(b.model)).map((m) => m.model)
}

/** What the menus offer: the values of the sessions, the most frequent first. */
export function facets(data: Pick<Insights, 'sessions' | 'models'> | undefined): Facets {
  const { sessions, models } = data ?? { sessions: [], models: [] }
  const of = (values: (s: InsightSession) => string[]) => {
    const counts = new Map<string, number>()
    for (const s of sessions) for (const v of values(s)) if (v) counts.set(v, (counts.get(v) ?? 0) + 1)
    return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([v]) => v)
  }
  return { agents: of((s) => [s.agent]), repos: of((s) => [s.repo]), branches: of((s) => [s.branch]), models: byUse(models), labels: of((s) => s.labels) }
}

/** The days of a range of columns, whichever way it was drawn. */
export function daysBetween(days: InsightDay[], from: number, to: number): { from: string; to: string } | undefined {
  const first = days[Math.max(0, Math.min(from, to))]
  const last = days[Math.min(days.length - 1, Math.max(from, to))]
  return first && last ? { from: first.day, to: last.day } : undefined
}

export type SortKey = 'title' | 'lastAt' | 'turns' | 'calls' | 'failRate' | 'flags' | 'tokens' | 'cacheHitRate' | 'cost' | 'wall'
export interface Sort {
  by: SortKey
  down: boolean
}

const sortValue: Record<SortKey, (s: InsightSession) => number | string | undefined> = {
  title: (s) => s.title.toLowerCase(),
  lastAt: (s) => s.lastAt,
  turns: (s) => s.turns,
  calls: (s) => s.calls,
  failRate: (s) => s.failRate ?? undefined,
  flags: (s) => s.flags,
  tokens: (s) => (s.totalTokens.quality === 'unknown' ? undefined : s.totalTokens.value),
  cacheHitRate: (s) => (!s.cacheHitRate || s.cacheHitRate.quality === 'unknown' ? undefined : s.cacheHitRate.value),
  cost: (s) => (!s.costUsd || s.costUsd.quality === 'unknown' ? undefined : s.costUsd.value),
  wall: (s) => s.wallMs,
}

/** Sorted rows; what is unknown comes last, whichever way. */
export function sorted(sessions: InsightSession[], sort: Sort): InsightSession[] {
  const of = sortValue[sort.by]
  const sign = sort.down ? -1 : 1
  return [...sessions].sort((x, y) => {
    const [a, b] = [of(x), of(y)]
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
    return a < b ? -sign : a > b ? sign : 0
  })
}

import type { Comparison, MetricDelta, Side, Step, ToolDelta } from '@/api/types'
import { signed, signedPercent } from '@/lib/delta'

export interface Section {
  title: string
  metrics: MetricDelta[]
}

const sections: [string, string[]][] = [
  ['Work', ['turns', 'roundTrips', 'calls', 'linesAdded', 'linesRemoved']],
  ['Trouble', ['failedCalls', 'failRate', 'errors', 'flags', 'compactions']],
  ['Tokens', ['tokens', 'input', 'cacheRead', 'cacheWrite', 'output', 'reasoning', 'cacheHitRate']],
  ['Cost', ['costUsd', 'premiumRequests', 'credits']],
  ['Time', ['wallMs', 'modelMs', 'toolMs', 'waitMs']],
]

function isBilled(m: MetricDelta): boolean {
  const known = (x: MetricDelta['a']) => x !== undefined && x.quality !== 'unknown'
  return known(m.a) || known(m.b)
}

/** The metrics under headings; what neither side has or says is left out. */
export function sectionsOf(metrics: MetricDelta[]): Section[] {
  const known = new Set(sections.flatMap(([, keys]) => keys))
  const all: [string, string[]][] = [...sections, ['Other', metrics.filter((m) => !known.has(m.key)).map((m) => m.key)]]
  return all
    .map(([title, keys]) => ({ title, metrics: metrics.filter((m) => keys.includes(m.key) && isBilled(m)) }))
    .filter((s) => s.metrics.length > 0)
}

/** How far B is from A as −1…1, for a bar that grows to one side: twice or half as much fills it. */
export function lean(m: MetricDelta): number {
  if (m.delta === null || m.delta === 0) return 0
  if (m.percent === null) return Math.sign(m.delta)
  const ratio = 1 + m.percent / 100
  if (ratio <= 0) return -1
  return Math.max(-1, Math.min(1, Math.log2(ratio)))
}

export function deltaText(m: MetricDelta): string {
  if (m.delta === null) return '—'
  return m.delta === 0 ? '0' : signed(m.delta, m.unit)
}

export function percentText(m: MetricDelta): string {
  return m.delta === null || m.delta === 0 ? '' : signedPercent(m.percent)
}

export const verdictWords: Record<MetricDelta['verdict'], string> = {
  better: 'B is better',
  worse: 'B is worse',
  same: 'no difference',
  neutral: 'differs; neither is better',
  unknown: 'not subtracted',
}

/** A side in a few words: the title, and the turn as on screen. */
export function sideName(side: Side): string {
  const first = side.sessions[0]
  const title = side.sessions.length === 1 && first ? first.title || first.id : side.label
  return side.turn === undefined ? title : `${title}, turn ${side.turn + 1}`
}

export type SequenceRow = { kind: 'step'; key: string; step: Step } | { kind: 'same'; key: string; steps: Step[] }

const QUIET = 4

/** The aligned calls as rows; runs of more than a few equal ones fold into one row. */
export function sequenceRows(steps: Step[]): SequenceRow[] {
  const rows: SequenceRow[] = []
  let run: Step[] = []
  const key = (s: Step) => `${s.a?.seq ?? ''}-${s.b?.seq ?? ''}`
  const flush = () => {
    if (run.length >= QUIET) rows.push({ kind: 'same', key: `same-${key(run[0]!)}`, steps: run })
    else rows.push(...run.map((step): SequenceRow => ({ kind: 'step', key: key(step), step })))
    run = []
  }
  for (const step of steps) {
    // Equal calls that went differently are worth a row of their own.
    if (step.change === 'same' && step.a?.status === step.b?.status) run.push(step)
    else {
      flush()
      rows.push({ kind: 'step', key: key(step), step })
    }
  }
  flush()
  return rows
}

export function changeCounts(steps: Step[]): Record<Step['change'], number> {
  const counts = { same: 0, added: 0, dropped: 0, changed: 0 }
  for (const s of steps) counts[s.change]++
  return counts
}

/** Tools that both used, then those that only one did; within each, most calls first as they come. */
export function toolRows(tools: ToolDelta[]): ToolDelta[] {
  const rank = { both: 0, a: 1, b: 2 }
  return [...tools].sort((x, y) => rank[x.in] - rank[y.in])
}

/** Whether the two sides are one and the same thing, which tells nothing. */
export function isSelf(c: Comparison): boolean {
  const [a, b] = [c.a, c.b]
  return c.kind !== 'groups' && a.sessions[0]?.id === b.sessions[0]?.id && a.turn === b.turn
}

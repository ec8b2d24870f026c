import type { FlowNode } from '@/api/flow'

export const swimlanes = ['model', 'tools', 'hooks', 'waiting'] as const
export type Swimlane = (typeof swimlanes)[number]

export interface Bar {
  node: FlowNode
  from: number // ms since the start of the turn; -1 = the log does not say
  to: number
  wait: number // ms at its beginning in which a human was asked
}

export interface Waterfall {
  start: number // unix ms
  total: number // ms
  rows: Bar[]
  lanes: Record<Swimlane, { from: number; to: number; node: FlowNode }[]>
}

/** A turn by time: a row per node in the order of the graph, and what ran when in four lanes. */
export function waterfallOf(nodes: FlowNode[], now: number): Waterfall {
  const timed = nodes.filter((n) => n.startedAt > 0)
  const start = timed.reduce((least, n) => Math.min(least, n.startedAt), Infinity)
  const rows = nodes.map((node) => barOf(node, start, now))
  const total = rows.reduce((most, bar) => Math.max(most, bar.to), 0)
  const lanes: Waterfall['lanes'] = { model: [], tools: [], hooks: [], waiting: [] }
  for (const { node, from, to, wait } of rows) {
    if (from < 0) continue
    if (wait > 0) lanes.waiting.push({ from, to: from + wait, node })
    if (node.kind === 'assistant') lanes.model.push({ from, to, node })
    else if (node.kind === 'tool') lanes.tools.push({ from: from + wait, to, node })
    else if (node.kind === 'hook') lanes.hooks.push({ from, to, node })
  }
  return { start: Number.isFinite(start) ? start : 0, total, rows, lanes }
}

function barOf(node: FlowNode, start: number, now: number): Bar {
  if (node.startedAt <= 0) return { node, from: -1, to: -1, wait: 0 }
  const from = node.startedAt - start
  if (node.status === 'pending') return { node, from, to: Math.max(from, now - start), wait: 0 }
  const took = node.durationMs.quality !== 'unknown' ? node.durationMs.value : Math.max(0, node.endedAt - node.startedAt)
  // A prompt lasts as long as its turn; it is a moment here.
  const to = node.kind === 'prompt' ? from : from + took
  return { node, from, to, wait: Math.min(node.waitMs ?? 0, to - from) }
}

/** Round steps of time, at most `most` of them: 1, 2 or 5 times a power of ten; minutes and hours in their own steps. */
export function ticksOf(totalMs: number, most: number): number[] {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 216e5, 864e5]
  const step = steps.find((s) => totalMs / s <= most) ?? totalMs
  const ticks: number[] = []
  for (let t = 0; t <= totalMs && step > 0; t += step) ticks.push(t)
  return ticks
}

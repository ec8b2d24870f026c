import type { Ribbon, RibbonTurn } from '@/api/flow'
import type { FlagKind } from '@/api/types'

export type Axis = 'turn' | 'time'

/** Heights in px within the ribbon. */
export const RIBBON_PX = 72
const BAR_TOP = 18
const BAR_BOTTOM = 64
const LEAST_COLUMN_PX = 2
const MOST_COLUMN_PX = 160 // wider, a short session is a wall

/** A column of the ribbon: a turn, or as many as share its pixels. */
export interface Column {
  x: number
  width: number
  first: number // position in ribbon.turns
  last: number
  roundTrips: number // the most that one of its turns has
  calls: number[] // per category
  failed: number
  flags: number
  compactions: number
}

export interface Scale {
  axis: Axis
  width: number
  starts: number[] // x of each turn, ascending
  ends: number[]
  breaks: number[] // x of pauses that are drawn shorter than they were
}

/** Where each turn stands. By time, a pause longer than a thirtieth of all work is cut to that. */
export function scaleOf(turns: RibbonTurn[], width: number, axis: Axis): Scale {
  if (axis === 'turn' || turns.every((t) => t.startedAt === 0)) {
    const step = Math.min(MOST_COLUMN_PX, turns.length > 0 ? width / turns.length : width)
    return { axis, width, starts: turns.map((_, i) => i * step), ends: turns.map((_, i) => (i + 1) * step), breaks: [] }
  }
  const spans = turns.map((t) => (t.startedAt > 0 ? Math.max(0, t.endedAt - t.startedAt) : 0))
  const longest = Math.max(1, spans.reduce((a, b) => a + b, 0) / 30)
  const starts: number[] = []
  const ends: number[] = []
  const cuts: number[] = []
  let at = 0
  let clock = 0
  turns.forEach((t, i) => {
    const pause = clock > 0 && t.startedAt > 0 ? Math.max(0, t.startedAt - clock) : 0
    if (pause > longest) cuts.push(at + longest / 2)
    at += Math.min(pause, longest)
    starts.push(at)
    at += spans[i]!
    ends.push(at)
    if (t.startedAt > 0) clock = Math.max(clock, t.endedAt, t.startedAt)
  })
  const unit = width / Math.max(1, at)
  const px = (ms: number): number => ms * unit
  return { axis, width, starts: starts.map(px), ends: ends.map(px), breaks: cuts.map(px) }
}

/** The turn at x: the last that starts at or before it. */
export function turnAt(scale: Scale, x: number): number {
  let low = 0
  let high = scale.starts.length - 1
  while (low < high) {
    const mid = (low + high + 1) >> 1
    if (scale.starts[mid]! <= x) low = mid
    else high = mid - 1
  }
  return low
}

/** Turns as columns of at least two px; those that would be narrower share one. */
export function columnsOf(ribbon: Ribbon, scale: Scale): Column[] {
  const columns: Column[] = []
  ribbon.turns.forEach((turn, i) => {
    const x = scale.starts[i]!
    const before = columns.at(-1)
    if (before && x - before.x < LEAST_COLUMN_PX) {
      absorb(before, turn, i)
      before.width = Math.max(before.width, scale.ends[i]! - before.x)
      return
    }
    const column: Column = { x, width: Math.max(scale.ends[i]! - x, LEAST_COLUMN_PX), first: i, last: i, roundTrips: 0, calls: turn.calls.map(() => 0), failed: 0, flags: 0, compactions: 0 }
    absorb(column, turn, i)
    columns.push(column)
  })
  return columns
}

function absorb(column: Column, turn: RibbonTurn, i: number): void {
  column.last = i
  column.roundTrips = Math.max(column.roundTrips, turn.roundTrips)
  column.calls = column.calls.map((n, k) => n + (turn.calls[k] ?? 0))
  column.failed += turn.failed
  column.flags |= turn.flags
  column.compactions += turn.compactions
}

export interface Segment {
  category: number // -1 = a turn without calls
  y: number
  height: number
}

/** The bar of a column from top to bottom: its height grows with the root of its round trips, its colours with its calls. */
export function segmentsOf(column: Column, mostRoundTrips: number): Segment[] {
  const full = BAR_BOTTOM - BAR_TOP
  const height = Math.max(3, Math.sqrt(column.roundTrips / Math.max(1, mostRoundTrips)) * full)
  const calls = column.calls.reduce((a, b) => a + b, 0)
  if (calls === 0) return [{ category: -1, y: BAR_BOTTOM - height, height }]
  const segments: Segment[] = []
  let y = BAR_BOTTOM
  column.calls.forEach((n, category) => {
    if (n === 0) return
    const part = (n / calls) * height
    y -= part
    segments.push({ category, y, height: part })
  })
  return segments.reverse()
}

export interface Slice {
  x: number
  width: number
  category: number
  broken: boolean
}

/** The calls of a column one beside another, if it is one turn's and wide enough to tell them apart. */
export function slicesOf(ribbon: Ribbon, column: Column): Slice[] | undefined {
  const turn = ribbon.turns[column.first]!
  if (column.first !== column.last || turn.n === 0 || column.width / turn.n < LEAST_COLUMN_PX + 1) return undefined
  const fine = [ribbon.statuses.indexOf('ok'), ribbon.statuses.indexOf('pending')]
  const step = (column.width - 1) / turn.n
  return ribbon.calls
    .slice(turn.at, turn.at + turn.n)
    .map((call, i) => ({ x: column.x + i * step, width: step >= 4 ? step - 1 : step, category: call[1], broken: !fine.includes(call[2]) }))
}

export interface Arc {
  from: number // x
  to: number
  kind: number
}

/** Arcs between calls, at least six px wide; those that would fall on one another are one. */
export function arcsOf(ribbon: Ribbon, scale: Scale): Arc[] {
  const turnOfCall = turnsOfCalls(ribbon)
  const x = (call: number): number => {
    const i = turnOfCall[call] ?? 0
    const turn = ribbon.turns[i]!
    const start = scale.starts[i]!
    return start + ((call - turn.at + 0.5) / Math.max(1, turn.n)) * (scale.ends[i]! - start)
  }
  const seen = new Map<number, Arc>()
  for (const [a, b, kind] of ribbon.arcs) {
    let from = x(a)
    let to = x(b)
    if (to - from < 6) {
      from = (from + to) / 2 - 3
      to = from + 6
    }
    const key = (Math.round(from / 2) * 65536 + Math.round(to / 2)) * 8 + kind
    if (!seen.has(key)) seen.set(key, { from, to, kind })
  }
  return [...seen.values()]
}

/** For each call the position of its turn. */
export function turnsOfCalls(ribbon: Ribbon): Int32Array {
  const turns = new Int32Array(ribbon.calls.length)
  ribbon.turns.forEach((t, i) => turns.fill(i, t.at, t.at + t.n))
  return turns
}

/** The index of the turn of a call by its number in the session. */
export function turnOfCall(ribbon: Ribbon, seq: number): number | undefined {
  return ribbon.turns.find((t) => ribbon.calls.slice(t.at, t.at + t.n).some((c) => c[0] === seq))?.index
}

export function hasFlag(ribbon: Ribbon, flags: number, kind: FlagKind): boolean {
  const bit = ribbon.flagKinds.indexOf(kind)
  return bit >= 0 && (flags & (1 << bit)) !== 0
}

export function flagsOf(ribbon: Ribbon, flags: number): FlagKind[] {
  return ribbon.flagKinds.filter((_, bit) => (flags & (1 << bit)) !== 0)
}

/** How many turns have each kind of flag; kinds without any are left out. */
export function flagTurns(ribbon: Ribbon): { kind: FlagKind; turns: number }[] {
  return ribbon.flagKinds.map((kind) => ({ kind, turns: ribbon.turns.filter((t) => hasFlag(ribbon, t.flags, kind)).length })).filter((f) => f.turns > 0)
}

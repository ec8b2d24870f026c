import type { Attachment, Clocks, Flag, Health, Marker, Session, Target, ToolCall, Turn } from '@/api/types'

const broken = new Set(['failed', 'denied', 'interrupted', 'lost'])

export function isBroken(call: ToolCall): boolean {
  return broken.has(call.status)
}

export function hasErrors(turn: Turn): boolean {
  return turn.totals.failedCalls > 0 || turn.totals.errors > 0 || turn.status === 'failed'
}

/** Newest first, without the turns that were over at the time since (unix ms). */
export function timeline(turns: Turn[], since: number | undefined): Turn[] {
  const shown = since === undefined ? turns : turns.filter((t) => t.status === 'open' || t.endedAt >= since)
  return [...shown].reverse()
}

/** From when on the turns of a session are shown: all, unless the shared focus was put on it in mid-session. */
export function shownSince(attachment: Attachment | undefined, session: string, full: boolean): number | undefined {
  if (full || !attachment || attachment.session !== session || attachment.fromStart) return undefined
  return attachment.at
}

/** Whether the turn goes on now: open in the log, and a process holds the session. */
export function isRunning(turn: Turn, session: Pick<Session, 'state'>): boolean {
  return turn.status === 'open' && (session.state === 'busy' || session.state === 'waiting')
}

/** Why the log of an agent shows no running calls; undefined if it does. */
export function runningUnknown(health: Pick<Health, 'runningUnknown'>, agent: string): string | undefined {
  return health.runningUnknown.find((u) => u.agent === agent)?.why
}

export function runningCalls(turn: Turn): ToolCall[] {
  return (turn.toolCalls ?? []).filter((c) => c.status === 'pending')
}

export interface ClockPart {
  name: 'model' | 'tools' | 'waiting' | 'other'
  ms: number
  share: number // of the wall time, 0…1
}

/** The clocks of a turn that goes on: what has passed since its last record is told apart by nothing yet. */
export function clocksNow(turn: Turn, now: number): Clocks {
  const { clocks } = turn.totals
  return { ...clocks, wallMs: Math.max(clocks.wallMs, turn.startedAt > 0 ? now - turn.startedAt : 0) }
}

/** Splits the wall time. Model and tools may overlap; the shares are then scaled down so that they still fill the bar. */
export function clockParts(clocks: Clocks): ClockPart[] {
  const known = clocks.modelMs + clocks.toolMs + clocks.waitMs
  const wall = Math.max(clocks.wallMs, known)
  if (wall <= 0) return []
  const parts: ClockPart[] = [
    { name: 'model', ms: clocks.modelMs, share: clocks.modelMs / wall },
    { name: 'tools', ms: clocks.toolMs, share: clocks.toolMs / wall },
    { name: 'waiting', ms: clocks.waitMs, share: clocks.waitMs / wall },
    { name: 'other', ms: wall - known, share: (wall - known) / wall },
  ]
  return parts.filter((p) => p.ms > 0)
}

export interface Span {
  left: number // percent
  width: number
}

/** Where a call stands in its turn's time; undefined if the log does not say. */
export function span(call: ToolCall, turn: Turn, now: number): Span | undefined {
  if (call.startedAt <= 0 || turn.startedAt <= 0) return undefined
  const turnEnd = turn.status === 'open' ? Math.max(now, turn.endedAt) : Math.max(turn.endedAt, ...endOf(call))
  const total = turnEnd - turn.startedAt
  if (total <= 0) return undefined
  const end = call.status === 'pending' ? turnEnd : (endOf(call)[0] ?? call.startedAt)
  const left = clamp(((call.startedAt - turn.startedAt) / total) * 100)
  return { left, width: Math.max(clamp(((end - turn.startedAt) / total) * 100) - left, 0) }
}

function endOf(call: ToolCall): number[] {
  if (call.durationMs.quality !== 'unknown') return [call.startedAt + call.durationMs.value]
  return call.endedAt > 0 ? [call.endedAt] : []
}

function clamp(percent: number): number {
  return Math.min(100, Math.max(0, percent))
}

export function flagsAt(turn: Turn, kind: Target['kind'], seq: number): Flag[] {
  return turn.flags.filter((f) => f.at.kind === kind && f.at.seq === seq)
}

/** The call that a target means: itself, or the first one of a round trip. */
export function callOf(turn: Turn, target: Target): ToolCall | undefined {
  const calls = turn.toolCalls ?? []
  if (target.kind === 'call') return calls.find((c) => c.seq === target.seq)
  if (target.kind === 'roundTrip') return calls.find((c) => c.roundTrip === target.seq)
  return undefined
}

/** The next broken call after seq; undefined if there is none. */
export function nextBroken(calls: ToolCall[], seq: number | undefined): ToolCall | undefined {
  return calls.find((c) => isBroken(c) && (seq === undefined || c.seq > seq))
}

/** The nearest turn below index in the list (older) with an error, going round. */
export function nextTurnWithErrors(rows: Turn[], index: number): Turn | undefined {
  const at = rows.findIndex((t) => t.index === index)
  return [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))].find(hasErrors)
}

/** Skills of a turn by where they come from. */
export function skillsBySource(markers: Marker[]): [string, Marker[]][] {
  const groups = new Map<string, Marker[]>()
  for (const m of markers) {
    if (m.kind !== 'skill') continue
    const source = m.source || 'source unknown'
    groups.set(source, [...(groups.get(source) ?? []), m])
  }
  return [...groups]
}

/** Whether the agent withheld text of the turn. */
export function isRedacted(turn: Turn): boolean {
  return (turn.roundTrips ?? []).some((r) => r.redacted)
}

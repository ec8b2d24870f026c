import type { Category, Marker, ToolCall, Turn } from '@/api/types'
import { isBroken } from './model'

/** A row of the list of calls. */
export type Row =
  | { kind: 'call'; key: string; call: ToolCall; lane: Lane }
  | { kind: 'marker'; key: string; marker: Marker }
  | { kind: 'hooks'; key: string; markers: Marker[] }
  | { kind: 'group'; key: string; category: Category; calls: number; failed: number; ms: number }

/** The place of a call among those that one round trip asked for at once. */
export type Lane = 'single' | 'first' | 'middle' | 'last'

// Skills have a section of their own.
function isShown(marker: Marker): boolean {
  return marker.kind !== 'skill'
}

function isBefore(marker: Marker, call: ToolCall): boolean {
  if (marker.ref.length > 0 && call.ref.length > 0) return marker.ref.offset < call.ref.offset
  return marker.at > 0 && marker.at < call.startedAt
}

/** Calls as they were asked for, with the markers in between. */
export function inOrder(turn: Turn): Row[] {
  const calls = [...(turn.toolCalls ?? [])].sort((a, b) => a.seq - b.seq)
  const markers = (turn.markers ?? []).filter(isShown)
  const rows: Row[] = []
  let next = 0
  calls.forEach((call, i) => {
    for (; next < markers.length && isBefore(markers[next]!, call); next++) rows.push(markerRow(markers[next]!))
    rows.push({ kind: 'call', key: `call-${call.seq}`, call, lane: laneOf(calls, i) })
  })
  for (; next < markers.length; next++) rows.push(markerRow(markers[next]!))
  return withHooksJoined(rows)
}

/** Hooks that went well are one quiet line: an agent may run three around every call. */
function withHooksJoined(rows: Row[]): Row[] {
  const out: Row[] = []
  for (const row of rows) {
    const last = out.at(-1)
    if (row.kind !== 'marker' || row.marker.kind !== 'hook' || row.marker.status !== 'ok') out.push(row)
    else if (last?.kind === 'hooks') last.markers.push(row.marker)
    else out.push({ kind: 'hooks', key: `hooks-${row.marker.seq}`, markers: [row.marker] })
  }
  return out.map((row) => (row.kind === 'hooks' && row.markers.length === 1 ? markerRow(row.markers[0]!) : row))
}

function markerRow(marker: Marker): Row {
  return { kind: 'marker', key: `marker-${marker.seq}`, marker }
}

function laneOf(calls: ToolCall[], i: number): Lane {
  const own = calls[i]!.roundTrip
  if (own < 0) return 'single'
  const above = calls[i - 1]?.roundTrip === own
  const below = calls[i + 1]?.roundTrip === own
  if (above && below) return 'middle'
  if (above) return 'last'
  return below ? 'first' : 'single'
}

/** Calls by category, the most used first, each group under a heading. */
export function byCategory(turn: Turn): Row[] {
  const groups = new Map<Category, ToolCall[]>()
  for (const call of turn.toolCalls ?? []) groups.set(call.category, [...(groups.get(call.category) ?? []), call])
  return [...groups]
    .sort((a, b) => b[1].length - a[1].length)
    .flatMap(([category, calls]): Row[] => [
      {
        kind: 'group',
        key: `group-${category}`,
        category,
        calls: calls.length,
        failed: calls.filter(isBroken).length,
        ms: calls.reduce((sum, c) => sum + (c.durationMs.quality === 'unknown' ? 0 : c.durationMs.value), 0),
      },
      ...calls.map((call): Row => ({ kind: 'call', key: `call-${call.seq}`, call, lane: 'single' })),
    ])
}

/** How a call went, in a word or two. */
export function outcome(call: ToolCall): string {
  switch (call.status) {
    case 'pending':
      return 'running'
    case 'failed':
      return call.exitCode ? `exit ${call.exitCode}` : 'failed'
    case 'lost':
      return 'no result'
    case 'ok':
      return call.background ? 'in background' : 'ok'
    default:
      return call.status
  }
}

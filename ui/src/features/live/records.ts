import type { Ref, Turn } from '@/api/types'

export interface LogRecord {
  ref: Ref
  what: string[] // what was read from it
}

/** The records that a turn was read from, in the log's order, each once. */
export function recordsOf(turn: Turn): LogRecord[] {
  const byOffset = new Map<number, LogRecord>()
  function add(ref: Ref | undefined, what: string): void {
    if (!ref || ref.length === 0) return
    const known = byOffset.get(ref.offset)
    if (!known) byOffset.set(ref.offset, { ref, what: [what] })
    else if (!known.what.includes(what)) known.what.push(what)
  }
  add(turn.prompt.ref, 'prompt')
  for (const [i, trip] of (turn.roundTrips ?? []).entries()) {
    add(trip.ref, `round trip ${i + 1}`)
    add(trip.thinking.ref, `thinking of ${i + 1}`)
    add(trip.text.ref, `text of ${i + 1}`)
  }
  for (const call of turn.toolCalls ?? []) {
    add(call.ref, `${call.tool} asked`)
    add(call.result.ref, `${call.tool} result`)
  }
  for (const marker of turn.markers ?? []) add(marker.ref, `${marker.kind.replaceAll('_', ' ')} ${marker.name ?? ''}`.trim())
  add(turn.reply.ref, 'reply')
  return [...byOffset.values()].sort((a, b) => a.ref.offset - b.ref.offset)
}

import { api } from '@/api/client'
import type { ConversationPart, RevealRequest } from '@/api/types'
import type { Piece } from './queries'

/** Which text of the log a part of a message is; the record as a whole where the store knows no single one. */
export async function revealOf(session: string, turn: number, part: ConversationPart, what: Piece): Promise<RevealRequest> {
  const { offset, length } = what === 'result' && part.result ? part.result.ref : part.ref
  const record: RevealRequest = { session, text: 'record', offset, length }
  if (turn < 0) return record
  const { prompt, roundTrips, toolCalls } = await api.turn(session, turn, false)
  if (part.id) {
    const call = toolCalls?.find((c) => c.key === part.id)
    if (!call) return record
    return { session, text: what === 'result' || part.type === 'tool_result' ? 'result' : 'arguments', call: call.seq }
  }
  if (part.type === 'text' && prompt.ref.offset === offset) return { session, text: 'prompt', turn }
  const said = part.type === 'thinking' ? 'thinking' : 'response'
  const trip = roundTrips?.find((r) => (said === 'thinking' ? r.thinking : r.text).ref.offset === offset)
  return trip ? { session, text: said, turn, roundTrip: trip.seq } : record
}

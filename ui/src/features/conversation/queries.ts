import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '@/api/client'
import type { ConversationWindow } from '@/api/conversation'
import { catchUp, openWindow, reconcile } from '@/api/conversation'
import { keys } from '@/api/keys'
import type { ConversationPart } from '@/api/types'
import { withoutMark } from './model'

export const conversationQueries = {
  transcripts: (id: string) =>
    queryOptions({ queryKey: keys.transcripts(id), queryFn: async ({ signal }) => (await api.transcripts(id, signal)).transcripts }),

  /** The loaded piece of a conversation. Asked for again, it goes on where it stopped: nothing twice, nothing left out. */
  conversation: (session: string, line: number | undefined) =>
    queryOptions({
      queryKey: keys.conversation(session),
      queryFn: async ({ client, signal }): Promise<ConversationWindow> => {
        const key = keys.conversation(session)
        const known = client.getQueryData<ConversationWindow>(key)
        if (!known) return openWindow(session, line, signal)
        const fresh = await catchUp(session, known, signal)
        return reconcile(client.getQueryData<ConversationWindow>(key), known, fresh)
      },
    }),

  /** How the turns went, from one to another. */
  turns: (session: string, from: number, to: number) =>
    queryOptions({
      queryKey: keys.turns(session, { from, limit: to - from + 1 }),
      queryFn: async ({ signal }) => (await api.turns(session, { from, limit: to - from + 1 }, signal)).turns,
      enabled: from >= 0,
      // While more is loaded, what is known of the others stays.
      placeholderData: keepPreviousData,
    }),

  /** The turns in which a text is found, also those that are not loaded. */
  found: (session: string, text: string) =>
    queryOptions({
      queryKey: keys.turns(session, { text }),
      queryFn: ({ signal }) => api.turns(session, { text }, signal),
      enabled: text !== '',
    }),

  fullText: (session: string, turn: number, part: ConversationPart, what: Piece) =>
    queryOptions({
      queryKey: keys.fullText(session, turn, part.ref.offset, `${part.id ?? part.type} ${what}`),
      queryFn: ({ signal }) => wholeText(session, turn, part, what, signal),
      staleTime: Infinity,
    }),
}

/** The text of a part itself, or what answered it. */
export type Piece = 'text' | 'result'

async function wholeText(session: string, turn: number, part: ConversationPart, what: Piece, signal: AbortSignal): Promise<string> {
  if (part.id) {
    const { toolCalls } = await api.turn(session, turn, false, signal)
    const short = toolCalls?.find((c) => c.key === part.id)
    if (!short) throw new Error('The call is not known to the store yet.')
    const call = await api.call(session, short.seq, signal)
    return what === 'result' || part.type === 'tool_result' ? call.result.preview : call.args.preview
  }
  const head = withoutMark(part.text).slice(0, 400)
  const { messages } = await api.messages(session, turn, 1, signal)
  for (const m of messages) {
    for (const text of part.type === 'thinking' ? [m.thinking] : [m.text]) {
      const at = text.indexOf(head)
      // Several parts of one response are given as one text; bytes says where this one ends.
      if (at >= 0) return cutBytes(text.slice(at), part.bytes)
    }
  }
  throw new Error('The log no longer says it.')
}

function cutBytes(text: string, bytes: number): string {
  const all = new TextEncoder().encode(text)
  return all.length <= bytes ? text : new TextDecoder().decode(all.subarray(0, bytes))
}

import { isRaw } from '@/lib/raw'

/** The state of the Conversation view. */
export interface ConversationSearch {
  agent?: string // a transcript of the session; absent = its own
  line?: number // of the log: the message that is chosen; absent = the newest, as they come
  find?: string
  whole?: true // long texts are not clipped
  raw?: string // a record of the log, as rawOf writes it
}

const text = (v: unknown): string | undefined => (typeof v === 'string' && v !== '' ? v : typeof v === 'number' ? String(v) : undefined)

/** Takes what it understands from a URL and drops the rest. */
export function validateConversationSearch(raw: Record<string, unknown>): ConversationSearch {
  const line = Number(raw['line'])
  const agent = text(raw['agent'])
  const search: ConversationSearch = {
    agent: agent === 'main' ? undefined : agent,
    line: Number.isInteger(line) && line > 0 ? line : undefined,
    find: text(raw['find']),
    whole: raw['whole'] === true || raw['whole'] === 1 ? true : undefined,
    raw: isRaw(raw['raw']) ? raw['raw'] : undefined,
  }
  return search // also what is undefined, or the router keeps what the URL says
}

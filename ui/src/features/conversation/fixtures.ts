import type { ConversationMessage, ConversationPart, Turn } from '@/api/types'

/** Messages for tests. */
const at = (line: number) => ({ offset: line * 100, length: 100, line })

export function text(words: string, line: number): ConversationPart {
  return { type: 'text', text: words, bytes: words.length, ref: at(line) }
}

export function thinking(words: string, line: number): ConversationPart {
  return { ...text(words, line), type: 'thinking' }
}

export function use(id: string, line: number): ConversationPart {
  return { ...text('{"command":"ls"}', line), type: 'tool_use', id, name: 'Bash', category: 'shell' }
}

export function message(line: number, kind: ConversationMessage['kind'], content: ConversationPart[], more: Partial<ConversationMessage> = {}): ConversationMessage {
  return { id: `line:${line}`, line, type: kind === 'response' ? 'assistant' : 'user', kind, at: line * 1000, turn: 0, content, ...more }
}

export function result(line: number, id: string, words: string): ConversationMessage {
  return message(line, 'result', [{ ...text(words, line), type: 'tool_result', id, status: 'ok' }], { id: `result:${id}` })
}

const exact = { value: 0, quality: 'exact' as const }
const tokens = { input: exact, cacheRead: exact, cacheWrite5m: exact, cacheWrite1h: exact, output: exact, reasoning: exact }

export function turn(index: number, more: Partial<Turn> = {}): Turn {
  const nothing = { preview: '', ref: at(0) }
  return {
    index, key: String(index), origin: 'human', prompt: nothing, reply: nothing, status: 'ok', startedAt: 0, endedAt: 0, calls: {}, ref: at(0), flags: [],
    totals: {
      turns: 1, roundTrips: 0, calls: 0, failedCalls: 0, errors: 0, flags: 0, compactions: 0, tokens, linesAdded: 0, linesRemoved: 0,
      clocks: { wallMs: 0, modelMs: 0, toolMs: 0, waitMs: 0 },
    },
    ...more,
  }
}

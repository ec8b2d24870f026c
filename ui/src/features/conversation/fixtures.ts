import type { ConversationMessage, ConversationPart } from '@/api/types'

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

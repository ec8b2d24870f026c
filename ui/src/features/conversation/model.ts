import type { ConversationMessage, ConversationPart, Turn } from '@/api/types'

export type Kind = ConversationMessage['kind']
export type Result = NonNullable<ConversationPart['result']>

/** A message with all that is known of it: its parts from several pages, and the results of its calls. */
export type Woven = ConversationMessage

export type Row =
  | { kind: 'turn'; key: string; turn: number; line: number; at: number; rewound: boolean }
  | { kind: 'message'; key: string; message: Woven }
  | { kind: 'outcome'; key: string; turn: Turn }

/**
 * Puts together what the log says in several places: a message that goes on later, and a call and its result. A result
 * whose call is not loaded stays a message of its own.
 */
export function weave(raw: ConversationMessage[]): Woven[] {
  const calls = new Set<string>()
  for (const m of raw) for (const p of m.content) if (p.type === 'tool_use' && p.id) calls.add(p.id)

  const results = new Map<string, Result>()
  const byId = new Map<string, Woven>()
  const woven: Woven[] = []
  for (const m of raw) {
    if (m.kind === 'result') {
      for (const p of m.content) if (p.id && calls.has(p.id)) keepLater(results, p.id, resultOf(p))
      const orphans = m.content.filter((p) => !p.id || !calls.has(p.id))
      if (orphans.length > 0) woven.push({ ...m, content: orphans })
      continue
    }
    const begun = byId.get(m.id)
    if (begun) {
      begun.content = [...begun.content, ...m.content]
      if (m.usage) begun.usage = m.usage
      if (m.model) begun.model = m.model
      continue
    }
    const message = { ...m }
    byId.set(m.id, message)
    woven.push(message)
  }
  for (const m of woven) {
    if (!m.content.some((p) => p.id && results.has(p.id))) continue
    m.content = m.content.map((p) => {
      const late = p.type === 'tool_use' && p.id ? results.get(p.id) : undefined
      return late && (!p.result || late.ref.line > p.result.ref.line) ? { ...p, result: late } : p
    })
  }
  return woven
}

function keepLater(results: Map<string, Result>, id: string, result: Result): void {
  const known = results.get(id)
  if (!known || result.ref.line >= known.ref.line) results.set(id, result)
}

function resultOf(p: ConversationPart): Result {
  return { text: p.text, bytes: p.bytes, ref: p.ref, status: p.status ?? 'ok', ...(p.error && { error: p.error }), ...(p.truncated && { truncated: true }) }
}

/**
 * The rows of the list: messages, with a header where a turn begins. The first message that is loaded gets one only if
 * nothing stands before it; its turn may have begun earlier.
 */
export function rowsOf(messages: Woven[], hasOlder: boolean): Row[] {
  const rows: Row[] = []
  let turn = hasOlder ? (messages[0]?.turn ?? -1) : -1
  for (const message of messages) {
    if (message.turn >= 0 && message.turn !== turn) {
      turn = message.turn
      rows.push({ kind: 'turn', key: `turn ${turn} ${message.line}`, turn, line: message.line, at: message.at, rewound: message.rewound ?? false })
    }
    rows.push({ kind: 'message', key: message.id, message })
  }
  return rows
}

/** The first and the last turn of the messages; -1 without one. */
export function turnsOf(messages: Woven[]): [from: number, to: number] {
  const all = messages.flatMap((m) => (m.turn >= 0 ? [m.turn] : []))
  return all.length === 0 ? [-1, -1] : [Math.min(...all), Math.max(...all)]
}

/** Whether there is something to say about how a turn went; over says that its session goes on no more. */
function isNotable(turn: Turn, over: boolean): boolean {
  return (turn.status === 'open' ? over : turn.status !== 'ok') || turn.flags.some((f) => f.kind !== 'fanout')
}

/** The rows with a line behind the last message of every turn that did not go well, once that message is loaded. */
export function withOutcomes(rows: Row[], turns: Turn[], hasNewer: boolean, over: boolean): Row[] {
  const last = new Map<number, string>()
  for (const row of rows) if (row.kind === 'message' && row.message.turn >= 0) last.set(row.message.turn, row.key)
  if (hasNewer) last.delete(Math.max(...last.keys()))
  const notable = new Map(turns.filter((t) => isNotable(t, over)).map((t) => [last.get(t.index), t]))
  return rows.flatMap((row) => {
    const turn = row.kind === 'message' ? notable.get(row.key) : undefined
    return turn ? [row, { kind: 'outcome', key: `outcome ${turn.index}`, turn }] : [row]
  })
}

/** Why a turn failed, as far as the log says. */
export function whyOf(turn: Turn): string | undefined {
  return turn.error || (turn.status === 'failed' ? turn.flags.findLast((f) => f.kind === 'fail')?.reason : undefined)
}

/** The messages that name their model: the first response of a turn, and any whose model is another one than before. */
export function modelChanges(messages: Woven[]): ReadonlySet<string> {
  const named = new Set<string>()
  let last = ''
  for (const m of messages) {
    if (m.type !== 'assistant' || !m.model) continue
    const now = `${m.turn} ${m.model}`
    if (now !== last) named.add(m.id)
    last = now
  }
  return named
}

/** What the user asked for in a turn, if it is loaded; else undefined. */
export function promptOf(messages: Woven[], turn: number): string | undefined {
  const prompt = messages.find((m) => m.turn === turn && m.type === 'user' && m.kind !== 'skill')
  return prompt && firstLine(textOf(prompt))
}

export function textOf(message: Woven): string {
  return message.content
    .filter((p) => p.type === 'text')
    .map((p) => p.text)
    .join('\n\n')
}

export function firstLine(text: string): string {
  return (text.split('\n').find((l) => l.trim() !== '') ?? '').trim()
}

/** Kinds that the harness wrote or that are not for reading: one quiet line until they are opened. */
export function isFolded(kind: Kind): boolean {
  return kind === 'command' || kind === 'notification' || kind === 'skill' || kind === 'result' || kind === 'unknown'
}

/** The index of the row that shows a line: the message that begins there or the last one before it. */
export function rowAtLine(rows: Row[], line: number): number {
  let found = -1
  for (const [i, row] of rows.entries()) {
    if (row.kind !== 'message') continue
    if (row.message.line > line) break
    found = i
  }
  return found
}

export interface Block {
  tag?: string // what a harness put around it; absent = the user's own words
  text: string
}

// A tag of two words at the start of a line is a harness's (<system-reminder>, <environment_context>), not HTML.
const harness = /^[ \t]*<([a-z]+(?:[-_][a-z]+)+)(?:\s[^>\n]*)?>([\s\S]*?)<\/\1>[ \t]*\n?/gm

/** Takes apart what a user wrote and what the harness put into the same message. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let at = 0
  const own = (end: number): void => {
    const words = text.slice(at, end).trim()
    if (words) blocks.push({ text: words })
  }
  for (const found of text.matchAll(harness)) {
    own(found.index)
    blocks.push({ tag: found[1]!, text: found[2]!.trim() })
    at = found.index + found[0].length
  }
  own(text.length)
  return blocks
}

export const CLIP = 500
// A click that brings one more line is not worth its own line.
const SLACK = 50
const MARK = '[truncated]'

/** The text without the mark that says that the daemon cut it. */
export function withoutMark(text: string): string {
  return text.endsWith(MARK) ? text.slice(0, -MARK.length).trimEnd() : text
}

/** The first 500 characters of a longer text, cut where a line or a word ends; a code block that was cut is closed. */
export function clip(text: string): string | undefined {
  if (text.length <= CLIP + SLACK) return undefined
  let cut = text.slice(0, CLIP)
  const line = cut.lastIndexOf('\n')
  const end = line > CLIP * 0.8 ? line : cut.lastIndexOf(' ')
  if (end > CLIP * 0.8) cut = cut.slice(0, end)
  else if (/[\uD800-\uDBFF]$/.test(cut)) cut = cut.slice(0, -1)
  const fences = cut.match(/^\s*(```|~~~)/gm) ?? []
  return fences.length % 2 === 1 ? `${cut}\n${fences[0]!.trim()}` : `${cut.trimEnd()} …`
}

// Colours and cursor moves of terminals: ESC [ … letter, and what sets the title.
const escapes = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g

/** Output of a terminal without what only a terminal understands. */
export function plain(text: string): string {
  return text.includes('\u001b') ? text.replace(escapes, '') : text
}

const LINE_PX = 20
const CHARS = 72

/** About how high a row will be: close enough for a steady scroll bar, before it was ever drawn. */
export function estimateRow(row: Row, whole: boolean): number {
  if (row.kind === 'turn') return 44
  if (row.kind === 'outcome') return 32
  const { message } = row
  if (isFolded(message.kind)) return 32
  const quiet = message.content.filter((p) => p.type !== 'text').length
  const text = textOf(message)
  const shown = whole ? text : text.slice(0, CLIP)
  const lines = shown === '' ? 0 : shown.split('\n').reduce((n, l) => n + Math.max(1, Math.ceil(l.length / CHARS)), 0)
  return 12 + quiet * 26 + lines * LINE_PX + (!whole && text.length > CLIP ? 24 : 0) + (message.type === 'user' ? 16 : 0)
}

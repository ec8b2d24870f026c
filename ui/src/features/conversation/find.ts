import type { Row, Woven } from './model'

/** Where a text was found: in a part of a message, or in the message's result. */
export interface Hit {
  row: number
  line: number // of the message
}

/** All that can be read of a message, also what is folded. */
function haystack(message: Woven): string {
  return message.content
    .flatMap((p) => [p.name ?? '', p.text, p.result?.text ?? '', p.result?.error ?? ''])
    .join('\n')
    .toLowerCase()
}

/** The messages that contain the text, whatever its case, in the order of the log. */
export function findIn(rows: Row[], text: string): Hit[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return rows.flatMap((row, i) => (row.kind === 'message' && haystack(row.message).includes(wanted) ? [{ row: i, line: row.message.line }] : []))
}

/** The hit to go to from a line: the next one below it or above it; undefined past the last one. */
export function nextHit(hits: Hit[], line: number | undefined, by: 1 | -1): Hit | undefined {
  if (line === undefined) return hits.at(-1)
  return by > 0 ? hits.find((h) => h.line > line) : hits.findLast((h) => h.line < line)
}

/** Parts of a message that contain the text: they are opened while it is looked for. */
export function partsWith(message: Woven, text: string): Set<number> {
  const wanted = text.trim().toLowerCase()
  const found = new Set<number>()
  if (wanted === '') return found
  for (const [i, p] of message.content.entries()) {
    if ([p.text, p.result?.text ?? '', p.result?.error ?? ''].some((t) => t.toLowerCase().includes(wanted))) found.add(i)
  }
  return found
}

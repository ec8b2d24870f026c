import { diffLines, diffWordsWithSpace } from 'diff'

export interface Piece {
  kind: 'same' | 'added' | 'dropped'
  text: string
}

// Above this, word by word costs more than a frame and reads worse than line by line.
const MOST_WORDS = 20_000

/** What B's prompt says other than A's. */
export function promptPieces(a: string, b: string): Piece[] {
  const parts = a.length + b.length > MOST_WORDS ? diffLines(a, b) : diffWordsWithSpace(a, b)
  return parts.map((p) => ({ kind: p.added ? 'added' : p.removed ? 'dropped' : 'same', text: p.value }))
}

/** Whether so little is shared that two texts side by side read better than one with marks. */
export function isOther(pieces: Piece[]): boolean {
  const length = (kind: Piece['kind']) => pieces.filter((p) => p.kind === kind).reduce((n, p) => n + p.text.trim().length, 0)
  return length('same') < Math.max(length('added'), length('dropped')) * 0.5
}

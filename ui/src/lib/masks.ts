/** A piece of a text: as it stands, or where the daemon masked a secret, which rule knew it. */
export interface Piece {
  text: string
  rule?: string
}

const masks = /«redacted: ([^»\n]{1,80})»/g

export function isMasked(text: string): boolean {
  return text.includes('«redacted: ')
}

/** Cuts a text at its masks; together the pieces' texts are the text. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const found of isMasked(text) ? text.matchAll(masks) : []) {
    if (found.index > at) pieces.push({ text: text.slice(at, found.index) })
    pieces.push({ text: found[0], rule: found[1]! })
    at = found.index + found[0].length
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}

/** The rules that masked something, each once, with how often. */
export function rulesOf(text: string): Map<string, number> {
  const rules = new Map<string, number>()
  for (const { rule } of piecesOf(text)) if (rule) rules.set(rule, (rules.get(rule) ?? 0) + 1)
  return rules
}

/** Cuts the tokens of a coloured line where masks begin and end: colouring takes them apart. */
export function cutTokens<T extends { text: string }>(line: T[]): (T & { rule?: string })[] {
  const text = line.map((t) => t.text).join('')
  if (!isMasked(text)) return line
  const cut: (T & { rule?: string })[] = []
  const tokens = line.map((t) => ({ ...t }))
  for (const piece of piecesOf(text)) {
    let left = piece.text.length
    const first = tokens[0]
    while (left > 0 && tokens.length > 0) {
      const token = tokens[0]!
      const part = token.text.slice(0, left)
      left -= part.length
      token.text = token.text.slice(part.length)
      if (!piece.rule) cut.push({ ...token, text: part })
      if (token.text === '') tokens.shift()
    }
    if (piece.rule && first) cut.push({ ...first, text: piece.text, rule: piece.rule })
  }
  return cut
}

import { diffLines } from 'diff'
import { parseArgs } from '@/lib/args'

export interface DiffLine {
  sign: '+' | '-' | ' ' | '@'
  text: string
}
export interface FileDiff {
  path: string
  lines: DiffLine[]
}

const CONTEXT = 3

function lines(text: string): string[] {
  const all = text.split('\n')
  if (all.at(-1) === '') all.pop()
  return all
}

/** The difference of two texts; long unchanged stretches are left out. */
export function compare(before: string, after: string): DiffLine[] {
  const out: DiffLine[] = []
  const parts = diffLines(before, after)
  parts.forEach((part, i) => {
    const own = lines(part.value)
    if (part.added || part.removed) {
      out.push(...own.map((text): DiffLine => ({ sign: part.added ? '+' : '-', text })))
      return
    }
    const head = i === 0 ? [] : own.slice(0, CONTEXT)
    const tail = i === parts.length - 1 ? [] : own.slice(Math.max(head.length, own.length - CONTEXT))
    out.push(...head.map((text): DiffLine => ({ sign: ' ', text })))
    const skipped = own.length - head.length - tail.length
    if (skipped > 0) out.push({ sign: '@', text: `${skipped} unchanged` })
    out.push(...tail.map((text): DiffLine => ({ sign: ' ', text })))
  })
  return out
}

const string = (v: unknown): string | undefined => (typeof v === 'string' ? v : undefined)

function edit(path: string, raw: Record<string, unknown>): FileDiff | undefined {
  const before = string(raw['old_string']) ?? string(raw['old_str'])
  const after = string(raw['new_string']) ?? string(raw['new_str'])
  return before === undefined && after === undefined ? undefined : { path, lines: compare(before ?? '', after ?? '') }
}

/** The changes that a call's arguments ask for, in whichever form the agent writes them; empty if it changes no file. */
export function diffsOfArgs(text: string): FileDiff[] {
  const args = parseArgs(text)
  if (!args) return isPatch(text) ? patchDiffs(text) : []
  const path = string(args['file_path']) ?? string(args['path']) ?? string(args['filePath']) ?? ''
  if (Array.isArray(args['edits'])) {
    return args['edits'].flatMap((e) => edit(path, e as Record<string, unknown>) ?? [])
  }
  const patch = string(args['input']) ?? string(args['patch'])
  if (patch && isPatch(patch)) return patchDiffs(patch)
  const one = edit(path, args)
  if (one) return [one]
  const content = string(args['content']) ?? string(args['file_text'])
  if (content !== undefined && path !== '') return [{ path, lines: lines(content).map((t) => ({ sign: '+', text: t })) }]
  return []
}

export function isPatch(text: string): boolean {
  return text.startsWith('*** Begin Patch') || /^(diff --git |--- \S+\n\+\+\+ |@@ )/m.test(text)
}

/** Unified diffs and Codex's patch format. */
export function patchDiffs(text: string): FileDiff[] {
  const files: FileDiff[] = []
  let file: FileDiff | undefined
  const begin = (path: string) => files.push((file = { path, lines: [] }))
  for (const line of lines(text)) {
    const named = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/.exec(line) ?? /^diff --git a\/.+ b\/(.+)$/.exec(line)
    if (named) begin(named[1]!)
    else if (/^(\*\*\* |--- |index |new file|deleted file|similarity|rename )/.test(line)) continue
    else if (line.startsWith('+++ ')) {
      if (!file || file.lines.length > 0) begin(line.slice(4).replace(/^b\//, ''))
    } else if (line.startsWith('@@')) push(line.replace(/^@@ ?/, '').replace(/@@$/, ''), '@')
    else if (line.startsWith('+') || line.startsWith('-')) push(line.slice(1), line[0] as '+' | '-')
    else push(line.replace(/^ /, ''), ' ')
  }
  return files.filter((f) => f.lines.length > 0)

  function push(content: string, sign: DiffLine['sign']): void {
    if (!file) begin('')
    file!.lines.push({ sign, text: content })
  }
}

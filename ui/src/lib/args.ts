/**
 * Reads the arguments of a tool call, which are the agent's own JSON and often only its first 500 bytes. What cannot be
 * parsed as a whole is searched for the one field that is wanted.
 */
export type Args = Record<string, unknown>

export function parseArgs(text: string): Args | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Args) : undefined
  } catch {
    return undefined
  }
}

/** The string field name of arguments that may be cut off in the middle. */
export function argOf(text: string, name: string): string | undefined {
  const value = parseArgs(text)?.[name]
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((v) => typeof v === 'string')) return value.join(' ')
  if (value !== undefined) return undefined
  const found = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(text)
  return found?.[1] === undefined ? undefined : unescape(found[1])
}

function unescape(body: string): string {
  try {
    return JSON.parse(`"${body.replace(/\\u[0-9a-fA-F]{0,3}$|\\$/, '')}"`) as string
  } catch {
    return body
  }
}

// The field that says most about a call, in the words of several agents; the first one present wins.
const telling = [
  'command', 'cmd', 'file_path', 'filePath', 'path', 'notebook_path', 'pattern', 'query', 'url', 'description', 'prompt',
  'skill', 'subject', 'task_id', 'agent_id', 'intent', 'name', 'message', 'question', 'target_file', 'target_directory',
  'CommandLine', 'AbsolutePath', 'TargetFile', 'DirectoryPath', 'Query', 'objective',
]

/** One line that tells a call from its neighbours. */
export function summarizeArgs(text: string): string {
  const shown = text.trim()
  if (!shown.startsWith('{')) return firstLine(shown)
  for (const name of telling) {
    const value = argOf(shown, name)
    if (value) return firstLine(value)
  }
  return shown === '{}' ? '' : firstLine(shown.slice(1).replace(/\}$/, '').replaceAll('"', ''))
}

function firstLine(text: string): string {
  const patched = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(text)
  if (patched?.[1]) return patched[1]
  const line = text.split('\n').find((l) => l.trim() !== '') ?? ''
  return line.trim().slice(0, 300)
}

/** JSON laid out for reading; anything else as it is. */
export function pretty(text: string): string {
  const trimmed = text.trim()
  if (!/^[[{]/.test(trimmed)) return text
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2)
  } catch {
    return text
  }
}

import type { ConversationPart } from '@/api/types'
import { pretty, summarizeArgs } from '@/lib/args'
import type { Woven } from './model'

const heads: Record<Woven['kind'], string> = {
  prompt: 'User',
  steer: 'User, while it worked',
  command: 'Command',
  notification: 'Notification',
  task: 'Task',
  skill: 'Skill',
  result: 'Result',
  response: 'Assistant',
  unknown: 'Unknown',
}

/** A fence that is longer than every fence in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((f) => f.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

function folded(summary: string, body: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>\n\n${body}\n\n</details>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function part(p: ConversationPart): string {
  switch (p.type) {
    case 'thinking':
      return p.redacted && !p.text ? '_Thinking, withheld by the agent_' : folded('Thinking', p.text)
    case 'tool_use': {
      const args = pretty(p.text)
      const asked = fenced(args, args.startsWith('{') ? 'json' : '')
      const came = p.result ? `\n\n${fenced(p.result.text || p.result.error || '')}` : ''
      const status = p.result?.status ?? 'pending'
      return folded(`${p.name ?? 'Tool'} ${summarizeArgs(p.text)} (${status})`.replace(/\s+/g, ' '), asked + came)
    }
    case 'tool_result':
      return folded(`Result (${p.status ?? 'ok'})`, fenced(p.text || p.error || ''))
    default:
      return p.text
  }
}

/** A message as Markdown: words as they are, calls and thoughts folded. */
export function messageMarkdown(message: Woven): string {
  const name = message.kind === 'skill' ? message.content.find((p) => p.name)?.name : message.model
  const head = `### ${heads[message.kind]}${name ? ` · ${name}` : ''}`
  return [head, ...message.content.map(part).filter((t) => t !== '')].join('\n\n')
}

/** A conversation as Markdown, with a heading per turn. */
export function conversationMarkdown(title: string, messages: Woven[]): string {
  const pieces = [`# ${title.replace(/\s+/g, ' ')}`]
  let turn = -1
  for (const message of messages) {
    if (message.turn >= 0 && message.turn !== turn) {
      turn = message.turn
      pieces.push(`## Turn ${turn + 1}`)
    }
    pieces.push(messageMarkdown(message))
  }
  return `${pieces.join('\n\n')}\n`
}

import { BellRing, Brain, CornerDownRight, GraduationCap, SquareSlash, TextQuote } from 'lucide-react'
import type { ConversationPart } from '@/api/types'
import { Markdown } from '@/components/Markdown'
import { Masked } from '@/components/Masked'
import { cn } from '@/lib/cn'
import { plural } from '@/lib/format'
import { useConversation } from '../context'
import type { Woven } from '../model'
import { blocksOf, firstLine, textOf, withoutMark } from '../model'
import { CallLine, ResultText } from './CallLine'
import { Quiet } from './Quiet'
import { ClippedText, Revealed, ShowAll, useFullText } from './Texts'

export const partKey = (message: Woven, i: number) => `${message.id}#${i}`

/** What a message says: the user's words in a bubble on the right, the assistant's on the left, all else folded. */
export function MessageBody({ message }: { message: Woven }) {
  switch (message.kind) {
    case 'prompt':
    case 'steer':
    case 'task':
      return <UserBody message={message} />
    case 'response':
      return message.content.map((part, i) => <Part key={i} message={message} part={part} id={partKey(message, i)} />)
    default:
      return message.content.map((part, i) => <FoldedPart key={i} message={message} part={part} id={partKey(message, i)} />)
  }
}

const said = { prompt: '', steer: 'While it worked', task: 'Task from the agent that called it' } as const

function UserBody({ message }: { message: Woven }) {
  const label = said[message.kind as keyof typeof said]
  return (
    <div className="ml-auto flex w-fit max-w-[92%] min-w-0 flex-col items-end">
      {label && (
        <span className="mb-0.5 flex items-center gap-1 text-small text-text-3">
          <CornerDownRight size={12} aria-hidden /> {label}
        </span>
      )}
      <div className="max-w-full min-w-0 rounded-md border border-transparent bg-selected px-3 py-2">
        {message.content.map((part, i) => (
          <UserPart key={i} message={message} part={part} id={partKey(message, i)} />
        ))}
      </div>
    </div>
  )
}

function UserPart({ message, part, id }: PartProps) {
  const { isOpen, toggle } = useConversation()
  const blocks = blocksOf(part.text)
  if (blocks.every((b) => b.tag === undefined)) {
    return <ClippedText part={part} turn={message.turn} id={id} render={(text) => <Words text={text} />} />
  }
  return blocks.map((block, i) =>
    block.tag === undefined ? (
      <Words key={i} text={block.text} />
    ) : (
      <Quiet key={i} icon={<TextQuote size={14} aria-hidden className="shrink-0 text-text-3" />} label={block.tag} summary={firstLine(block.text)} open={isOpen(`${id}/${i}`)} onToggle={() => toggle(`${id}/${i}`)}>
        <Words text={block.text} />
      </Quiet>
    ),
  )
}

function Words({ text }: { text: string }) {
  return (
    <p className="break-words whitespace-pre-wrap">
      <Masked text={text} />
    </p>
  )
}

interface PartProps {
  message: Woven
  part: ConversationPart
  id: string
}

function Part({ message, part, id }: PartProps) {
  switch (part.type) {
    case 'thinking':
      return <Thinking message={message} part={part} id={id} />
    case 'tool_use':
      return <CallLine part={part} turn={message.turn} id={id} />
    case 'tool_result':
      return <FoldedPart message={message} part={part} id={id} />
    default:
      return (
        <div className="px-1 py-0.5">
          <ClippedText part={part} turn={message.turn} id={id} render={(text) => <Markdown text={text} />} />
        </div>
      )
  }
}

function Thinking({ message, part, id }: PartProps) {
  const { isOpen, toggle } = useConversation()
  const hidden = part.redacted && part.text === ''
  return (
    <Quiet
      icon={<Brain size={14} aria-hidden className="shrink-0 text-text-3" />}
      label="Thinking"
      summary={hidden ? 'withheld by the agent' : firstLine(part.text)}
      open={isOpen(id)}
      onToggle={hidden ? undefined : () => toggle(id)}
    >
      <ThinkingText part={part} turn={message.turn} />
    </Quiet>
  )
}

function ThinkingText({ part, turn }: { part: ConversationPart; turn: number }) {
  const full = useFullText(part, turn, 'text')
  return (
    <div className="py-1 text-text-2">
      <Revealed part={part} turn={turn} what="text" text={full.text ?? withoutMark(part.text)} render={(text) => <Markdown text={text} />} />
      {part.truncated && <ShowAll full={full} size={part.bytes} />}
    </div>
  )
}

const folds = {
  command: { icon: SquareSlash, label: 'Command' },
  notification: { icon: BellRing, label: 'Notification' },
  skill: { icon: GraduationCap, label: 'Skill' },
  result: { icon: CornerDownRight, label: 'Result of an earlier call' },
} as const

/** What the harness wrote, in one line until it is opened. */
function FoldedPart({ message, part, id }: PartProps) {
  const { isOpen, toggle } = useConversation()
  const look = folds[message.kind as keyof typeof folds] ?? { icon: TextQuote, label: 'Other' }
  const text = withoutMark(part.text)
  const summary = part.name && message.kind === 'skill' ? part.name : firstLine(text)
  const more = text.trim() !== summary
  return (
    <Quiet
      icon={<look.icon size={14} aria-hidden className="shrink-0 text-text-3" />}
      label={look.label}
      summary={summary}
      note={more && <span className={cn('shrink-0 text-small', part.status === 'failed' ? 'text-fail' : 'text-text-3')}>{part.status === 'failed' ? 'failed' : plural(textOf(message).split('\n').length, 'line')}</span>}
      open={isOpen(id)}
      onToggle={more ? () => toggle(id) : undefined}
    >
      {part.type === 'tool_result' ? <OrphanResult part={part} turn={message.turn} /> : <ClippedText part={part} turn={message.turn} id={`${id}/text`} render={(t) => <Words text={t} />} />}
    </Quiet>
  )
}

function OrphanResult({ part, turn }: { part: ConversationPart; turn: number }) {
  const full = useFullText(part, turn, 'result')
  return <ResultText part={part} turn={turn} text={full.text ?? withoutMark(part.text)} error={part.error} size={part.bytes} more={part.truncated ? <ShowAll full={full} size={part.bytes} /> : null} />
}

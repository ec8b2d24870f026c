import { CornerDownRight } from 'lucide-react'
import type { ConversationPart } from '@/api/types'
import { categories } from '@/components/categories'
import { Code } from '@/components/Code'
import { Masked } from '@/components/Masked'
import { Button } from '@/components/ui/button'
import { argOf, pretty, summarizeArgs } from '@/lib/args'
import { cn } from '@/lib/cn'
import { bytes } from '@/lib/format'
import { useConversation } from '../context'
import { plain, withoutMark } from '../model'
import { Quiet } from './Quiet'
import { Revealed, ShowAll, useFullText } from './Texts'

interface Props {
  part: ConversationPart
  turn: number
  id: string
}

const words: Partial<Record<string, string>> = { failed: 'failed', denied: 'denied', interrupted: 'interrupted', lost: 'no result' }

/** A tool call: a line, and behind it what was asked and what came back. */
export function CallLine({ part, turn, id }: Props) {
  const { isOpen, toggle, children } = useConversation()
  const look = categories[part.category ?? 'other'] ?? categories.other
  const pending = !part.result || part.result.status === 'pending'
  const child = part.id ? children.get(part.id) : undefined
  return (
    <Quiet
      icon={
        <span role="img" aria-label={look.label} data-tip={look.label} className={cn('flex shrink-0', look.text)}>
          <look.icon size={14} aria-hidden />
        </span>
      }
      label={part.name ?? 'Tool'}
      summary={plain(summarizeArgs(part.text))}
      note={<Outcome part={part} pending={pending} />}
      open={isOpen(id)}
      onToggle={() => toggle(id)}
    >
      {child && <OpenChild id={child.id} name={child.name} total={child.total} />}
      <Arguments part={part} turn={turn} />
      {part.result && <Result part={part} turn={turn} />}
    </Quiet>
  )
}

function Outcome({ part, pending }: { part: ConversationPart; pending: boolean }) {
  const { session } = useConversation()
  if (pending) {
    // What was started in the background has said so; that it has ended is told later, elsewhere.
    if (part.result) return <span className="shrink-0 text-small text-text-3">in the background</span>
    const over = session.state === 'ended' || session.state === 'crashed'
    return <span className={cn('shrink-0 text-small', over ? 'text-text-3' : 'text-running')}>{over ? 'no result' : 'running'}</span>
  }
  const word = words[part.result!.status]
  if (!word) return null
  return (
    <span data-tip={part.result!.error || undefined} className={cn('shrink-0 text-small', part.result!.status === 'failed' ? 'text-fail' : part.result!.status === 'lost' ? 'text-text-3' : 'text-warn')}>
      {word}
    </span>
  )
}

function OpenChild({ id, name, total }: { id: string; name: string; total: number }) {
  const { showTranscript } = useConversation()
  return (
    <Button variant="link" size="inline" className="mb-1" onClick={() => showTranscript(id)}>
      <CornerDownRight size={14} aria-hidden /> {name}: {total} messages
    </Button>
  )
}

function Arguments({ part, turn }: { part: ConversationPart; turn: number }) {
  const full = useFullText(part, turn, 'text')
  const text = full.text ?? withoutMark(part.text)
  if (text === '' || text === '{}') return <p className="text-small text-text-3">No arguments.</p>
  return (
    <div role="group" aria-label="Arguments">
      <Revealed part={part} turn={turn} what="text" text={text} render={(shown) => <ArgumentsText category={part.category} text={shown} />} />
      {part.truncated && <ShowAll full={full} size={part.bytes} />}
    </div>
  )
}

function ArgumentsText({ category, text }: { category: ConversationPart['category']; text: string }) {
  const command = category === 'shell' ? (argOf(text, 'command') ?? argOf(text, 'cmd')) : undefined
  return command === undefined ? <Code text={pretty(text)} language={text.startsWith('{') ? 'json' : ''} /> : <Code text={command} language="bash" />
}

function Result({ part, turn }: { part: ConversationPart; turn: number }) {
  const result = part.result!
  const full = useFullText(part, turn, 'result')
  return <ResultText part={part} turn={turn} text={full.text ?? withoutMark(result.text)} error={result.error} size={result.bytes} more={result.truncated ? <ShowAll full={full} size={result.bytes} /> : null} />
}

interface ResultProps {
  part: ConversationPart
  turn: number
  text: string
  error: string | undefined
  size: number
  more: React.ReactNode
}

export function ResultText({ part, turn, text, error, size, more }: ResultProps) {
  return (
    <div role="group" aria-label="Result">
      <h4 className="mt-1 text-small text-text-3">Result{size > 0 && `, ${bytes(size)}`}</h4>
      {error && error !== text && <p className="rounded-md bg-fail-soft px-3 py-1.5 font-mono text-code break-words whitespace-pre-wrap text-fail"><Masked text={error} /></p>}
      {text === '' ? !error && <p className="text-small text-text-3">The result is empty.</p> : <Revealed part={part} turn={turn} what="result" text={text} render={(shown) => <ResultCode text={plain(shown)} />} />}
      {more}
    </div>
  )
}

function ResultCode({ text }: { text: string }) {
  const laidOut = pretty(text)
  return <Code text={laidOut} language={laidOut === text ? '' : 'json'} />
}

import { Link } from '@tanstack/react-router'
import { Link2, ScrollText } from 'lucide-react'
import { memo, use } from 'react'
import type { Tokens, Turn } from '@/api/types'
import { CopyButton } from '@/components/CopyButton'
import { SourceContext, placeOf } from '@/components/Sourced'
import { IconButton } from '@/components/ui/button'
import { useCopy } from '@/hooks/use-copy'
import { cn } from '@/lib/cn'
import { UNKNOWN, absolute, clockTime, measured } from '@/lib/format'
import { contextOf, tokenTip, totalOf } from '@/lib/tokens'
import { useConversation } from '../context'
import { messageMarkdown } from '../markdown'
import type { Row, Woven } from '../model'
import { isFolded, textOf } from '../model'
import { MessageBody } from './MessageRow'

/** Three columns, of which the middle one is for reading: 72 characters. */
export const columns = 'mx-auto grid w-full max-w-[1040px] grid-cols-[minmax(0,1fr)_minmax(0,calc(72ch+10px))_minmax(0,1fr)] gap-x-3 px-4 max-lg:grid-cols-[minmax(0,72ch)_minmax(0,1fr)] max-md:block max-md:px-3'

const names: Record<Woven['kind'], string> = {
  prompt: 'Prompt', steer: 'Steer', command: 'Command', notification: 'Notification', task: 'Task', skill: 'Skill', result: 'Result', response: 'Response', unknown: 'Other',
}

interface HeaderProps {
  turn: number
  at: number
  rewound: boolean
  known: Turn | undefined
}

export const TurnHeader = memo(function TurnHeader({ turn, at, rewound, known }: HeaderProps) {
  const tokens = measured(known && totalOf(known.totals.tokens))
  return (
    <div className={cn(columns, 'group/turn')}>
      <h2 className="col-start-2 flex h-11 items-end gap-3 pb-1.5 text-small font-semibold text-text-2 max-lg:col-start-1">
        Turn {turn + 1}
        {rewound && <span className="font-normal text-warn" data-tip="Later requests to the model do not include it.">taken back</span>}
        <span className="relative mb-[7px] h-px flex-1 bg-line">
          <OpenInLive turn={turn} className="absolute right-0 -bottom-2.5 bg-page pl-3 opacity-0 group-hover/turn:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100" />
        </span>
        {known && tokens !== UNKNOWN && (
          <span data-tip={`The whole turn\n${tokenTip(known.totals.tokens)}`} className="font-normal text-text-3 tabular-nums">
            {tokens} tok
          </span>
        )}
        {at > 0 && (
          <time data-tip={absolute(at)} className="font-normal text-text-3 tabular-nums">
            {clockTime(at)}
          </time>
        )}
      </h2>
    </div>
  )
})

export function OpenInLive({ turn, className }: { turn: number; className?: string }) {
  const { session } = useConversation()
  return (
    <Link to="/live" search={{ session: session.id, turn: turn + 1 }} className={cn('shrink-0 font-normal whitespace-nowrap text-accent underline-offset-2 hover:underline', className)}>
      Open in Live →
    </Link>
  )
}

interface Props {
  row: Extract<Row, { kind: 'message' }>
  showModel: boolean
  chosen: boolean
  onChoose: () => void
}

export function MessageView({ row, showModel, chosen, onChoose }: Props) {
  const { message } = row
  const folded = isFolded(message.kind)
  return (
    <article
      aria-label={`${names[message.kind]}${message.at > 0 ? `, ${clockTime(message.at)}` : ''}`}
      data-chosen={chosen || undefined}
      className={cn('group/message relative py-1', !folded && message.type === 'user' && 'py-2', message.type === 'assistant' && textOf(message) === '' && 'py-px')}
    >
      <h3 className="sr-only">{names[message.kind]}</h3>
      <div className={columns}>
        <div className="relative col-start-2 min-w-0 max-lg:col-start-1">
          {chosen && <span aria-hidden className="absolute inset-y-0 -left-3 w-0.5 rounded bg-accent max-md:-left-2" />}
          <MessageBody message={message} />
        </div>
        <Margin message={message} showModel={showModel} onChoose={onChoose} />
      </div>
    </article>
  )
}

/** Beside the words: who said it, what it cost, and what can be done with it. */
function Margin({ message, showModel, onChoose }: { message: Woven; showModel: boolean; onChoose: () => void }) {
  const { usage, model } = message
  const quiet = message.type === 'user' || textOf(message) === ''
  return (
    <div className={cn('flex min-w-0 flex-wrap content-start items-center gap-x-2 pt-[3px] text-small text-text-3 max-md:pl-1', quiet && !showModel && 'max-md:hidden')}>
      {model && showModel && <span className="truncate text-text-2">{model}</span>}
      {usage && (
        <span data-tip={tokenTip(usage)} className="whitespace-nowrap tabular-nums">
          {used(usage)}
        </span>
      )}
      <Actions message={message} onChoose={onChoose} />
    </div>
  )
}

/** What is known of what it read and wrote. */
function used(usage: Tokens): string {
  const read = measured(contextOf(usage))
  const wrote = measured(usage.output)
  return [read !== UNKNOWN && `${read} in`, wrote !== UNKNOWN && `${wrote} out`].filter(Boolean).join(' · ')
}

function Actions({ message, onChoose }: { message: Woven; onChoose: () => void }) {
  const copy = useCopy()
  const source = use(SourceContext)
  const ref = message.content[0]?.ref
  function copyLink(): void {
    onChoose()
    const url = new URL(location.href)
    url.searchParams.set('line', String(message.line))
    copy(url.href, 'the link')
  }
  return (
    <span className="flex opacity-0 transition-opacity duration-100 group-hover/message:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100">
      <CopyButton text={messageMarkdown(message)} what="as Markdown" />
      <IconButton label="Copy a link to this message" size="tinyIcon" onClick={copyLink}>
        <Link2 size={13} />
      </IconButton>
      {ref && (
        <IconButton label={`Show the log’s line, ${placeOf(source.path, ref)}`} size="tinyIcon" onClick={() => source.open(ref)}>
          <ScrollText size={13} />
        </IconButton>
      )}
    </span>
  )
}

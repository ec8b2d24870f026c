import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ConversationPart } from '@/api/types'
import { Revealable } from '@/components/Revealable'
import { Button } from '@/components/ui/button'
import { bytes, whole as grouped } from '@/lib/format'
import { useConversation } from '../context'
import { clip, withoutMark } from '../model'
import type { Piece } from '../queries'
import { conversationQueries } from '../queries'
import { revealOf } from '../reveal'

interface Props {
  part: ConversationPart
  turn: number
  id: string // of the place, for what is open
  render: (text: string) => ReactNode
}

/** A text that is for reading: its first 500 characters, then on demand all that was sent, then all that was written. */
export function ClippedText({ part, turn, id, render }: Props) {
  const { whole, isOpen, toggle } = useConversation()
  const full = useFullText(part, turn, 'text')
  const text = full.text ?? withoutMark(part.text)
  const short = whole ? undefined : clip(text)
  const open = isOpen(id)
  return (
    <>
      <Revealed part={part} turn={turn} what="text" text={short !== undefined && !open ? short : text} render={render} />
      {short !== undefined && (
        <Button variant="link" size="inline" className="mt-0.5 mr-3 text-small" aria-expanded={open} onClick={() => toggle(id)}>
          {open ? 'Show less' : `Show all ${grouped(text.length)} characters`}
        </Button>
      )}
      {part.truncated && (short === undefined || open) && <ShowAll full={full} size={part.bytes} />}
    </>
  )
}

/** A part's text, whose secrets can be asked for. */
export function Revealed({ part, turn, what, text, render }: Omit<Props, 'id'> & { what: Piece; text: string }) {
  const { session } = useConversation()
  return (
    <Revealable text={text} of={() => revealOf(session.id, turn, part, what)}>
      {render}
    </Revealable>
  )
}

interface FullText {
  text: string | undefined
  busy: boolean
  error: Error | null
  read: () => void
}

/** Reads from the log what the daemon cut, once it is asked for. */
export function useFullText(part: ConversationPart, turn: number, what: Piece): FullText {
  const { session } = useConversation()
  const [wanted, setWanted] = useState(false)
  const query = useQuery({ ...conversationQueries.fullText(session.id, turn, part, what), enabled: wanted && turn >= 0 })
  return { text: query.data, busy: query.isFetching, error: query.error, read: () => (wanted ? void query.refetch() : setWanted(true)) }
}

export function ShowAll({ full, size }: { full: FullText; size: number }) {
  if (full.text !== undefined) return null
  return (
    <p className="mt-0.5 flex items-center gap-2 text-small text-text-3">
      <span className="text-warn">Cut here</span>
      <Button variant="link" size="inline" className="text-small" disabled={full.busy} onClick={full.read}>
        {full.busy ? 'Reading the log…' : `Show all ${bytes(size)}`}
      </Button>
      {full.error && <span className="text-fail">{full.error.message}</span>}
    </p>
  )
}

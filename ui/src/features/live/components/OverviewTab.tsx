import { useQuery } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { Session, Text, Turn } from '@/api/types'
import { CopyButton } from '@/components/CopyButton'
import { Markdown } from '@/components/Markdown'
import { Masked } from '@/components/Masked'
import { Revealable } from '@/components/Revealable'
import { Sourced } from '@/components/Sourced'
import { Button } from '@/components/ui/button'
import { bytes } from '@/lib/format'
import { isClipped, isEmpty } from '@/lib/text'
import { isRedacted } from '../model'
import { liveQueries } from '../queries'
import { Children } from './Children'
import { FlagList } from './FlagList'
import { Markers } from './Markers'
import { NotableCalls } from './NotableCalls'
import { Section } from './Section'
import { Skills } from './Skills'

interface Props {
  session: Session
  turn: Turn
  running: boolean
}

/** The turn as a whole: what is wrong with it, what was asked, what came back, and what took part. */
export function OverviewTab({ session, turn, running }: Props) {
  return (
    <div tabIndex={0} role="region" aria-label="Overview" className="min-h-0 flex-1 overflow-y-auto">
      {turn.error && (
        <div className="border-b bg-fail-soft px-4 py-2 text-fail">
          <Revealable text={turn.error} of={{ session: session.id, text: 'error', turn: turn.index }}>
            {(text) => <Masked text={text} />}
          </Revealable>
        </div>
      )}
      <FlagList turn={turn} />
      <Words session={session} turn={turn} title="Prompt" part="prompt" empty={turn.origin === 'auto' ? 'The agent woke by itself: a background task ended or a schedule fired.' : 'The log holds no prompt text.'} />
      {running && <NotableCalls turn={turn} running />}
      <Words session={session} turn={turn} title={running ? 'Latest reply' : 'Response'} part="reply" empty={running ? 'No text yet.' : turn.status === 'open' ? 'The log ends before any text.' : 'The turn ended without any text.'} />
      {!running && <NotableCalls turn={turn} running={false} />}
      <Children session={session} turn={turn} />
      <Skills markers={turn.markers ?? []} />
      <Markers turn={turn} />
      {isRedacted(turn) && (
        <p className="flex items-center gap-2 px-4 py-3 text-text-2">
          <EyeOff size={15} aria-hidden className="shrink-0 text-text-3" />
          The agent withheld part of this turn: its reasoning is encrypted in the log and cannot be shown.
        </p>
      )}
    </div>
  )
}

interface WordsProps {
  session: Session
  turn: Turn
  title: string
  part: 'prompt' | 'reply'
  empty: string
}

function Words({ session, turn, title, part, empty }: WordsProps) {
  const [all, setAll] = useState(false)
  const preview = turn[part]
  const clipped = isClipped(preview)
  const full = useQuery({ ...liveQueries.turn(session.id, turn.index, true), enabled: all && clipped })
  const text: Text = all && full.data ? full.data[part] : preview
  const showsAll = all && Boolean(full.data)
  return (
    <Section
      title={title}
      note={
        <>
          {part === 'prompt' && turn.origin === 'agent' && 'asked by the parent agent '}
          {part === 'prompt' && turn.steers ? `steered ${turn.steers}× ` : ''}
          {!isEmpty(preview) && <Sourced at={preview.ref}>{bytes(preview.bytes ?? preview.preview.length)}</Sourced>}
        </>
      }
      actions={!isEmpty(text) && <CopyButton text={text.preview} what={`the ${title.toLowerCase()}`} />}
    >
      {isEmpty(text) ? (
        <p className="text-text-3">{empty}</p>
      ) : (
        <Revealable text={text.preview} of={{ session: session.id, text: part, turn: turn.index }}>
          {(words) => <Markdown text={words} />}
        </Revealable>
      )}
      {clipped && !showsAll && (
        <Button variant="link" size="inline" className="mt-1" disabled={full.isFetching} onClick={() => setAll(true)}>
          {full.error ? 'The log could not be read. Try again' : full.isFetching ? 'Reading the log…' : `Show all ${bytes(preview.bytes ?? 0)}`}
        </Button>
      )}
    </Section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Brain, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { RoundTrip, Session, Turn } from '@/api/types'
import { Markdown } from '@/components/Markdown'
import { Masked } from '@/components/Masked'
import { Revealable } from '@/components/Revealable'
import { Sourced } from '@/components/Sourced'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { bytes, measured, whole } from '@/lib/format'
import { isClipped, isEmpty } from '@/lib/text'
import { tokenClasses } from '@/lib/tokens'
import { liveQueries } from '../queries'

/** What one response said, and what it consumed, class by class. */
export function RoundTripBody({ session, turn, trip: short }: { session: Session; turn: Turn; trip: RoundTrip }) {
  const [all, setAll] = useState(false)
  const [thinks, setThinks] = useState(false)
  const clipped = isClipped(short.text) || isClipped(short.thinking)
  const full = useQuery({ ...liveQueries.turn(session.id, turn.index, true), enabled: all && clipped })
  const trip = full.data?.roundTrips?.find((r) => r.seq === short.seq) ?? short
  const at = { session: session.id, turn: turn.index, roundTrip: short.seq }
  return (
    <div className="flex flex-col gap-2 bg-panel px-4 py-2 pl-9">
      <dl className="flex flex-wrap gap-x-4 text-small">
        {tokenClasses.map(({ key, label }) => (
          <div key={key} className="flex gap-1.5">
            <dt className="text-text-3">{label}</dt>
            <dd>
              <Sourced at={trip.ref}>{measured(trip.tokens[key], whole)}</Sourced>
            </dd>
          </div>
        ))}
        {trip.model && <div className="text-text-3">{trip.model}</div>}
      </dl>
      {trip.duplicateOf && <p className="text-small text-text-3">Copied from another session, which counts it: {trip.duplicateOf}</p>}
      {(!isEmpty(trip.thinking) || trip.redacted) && (
        <div>
          <button type="button" aria-expanded={thinks} disabled={isEmpty(trip.thinking)} onClick={() => setThinks(!thinks)} className="flex items-center gap-1.5 text-text-2 hover:text-text">
            <ChevronRight size={14} aria-hidden className={cn('transition-transform duration-100', thinks && 'rotate-90')} />
            <Brain size={14} aria-hidden />
            {isEmpty(trip.thinking) ? 'Thinking, withheld by the agent' : `Thinking, ${bytes(trip.thinking.bytes ?? trip.thinking.preview.length)}`}
          </button>
          {thinks && (
            <div className="mt-1 max-w-[76ch] pl-5 whitespace-pre-wrap break-words text-text-2">
              <Revealable text={trip.thinking.preview} of={{ ...at, text: 'thinking' }}>
                {(text) => <Masked text={text} />}
              </Revealable>
            </div>
          )}
        </div>
      )}
      {isEmpty(trip.text) ? (
        <p className="text-text-3">{trip.calls > 0 ? 'No text, only calls.' : 'No text.'}</p>
      ) : (
        <Revealable text={trip.text.preview} of={{ ...at, text: 'response' }}>
          {(text) => <Markdown text={text} />}
        </Revealable>
      )}
      {clipped && !full.data && (
        <Button variant="link" size="inline" className="self-start" disabled={full.isFetching} onClick={() => setAll(true)}>
          {full.isFetching ? 'Reading the log…' : 'Show all of it'}
        </Button>
      )}
    </div>
  )
}

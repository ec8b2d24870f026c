import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Flag, Target, Turn } from '@/api/types'
import { queries } from '@/api/queries'
import { FlagChip } from '@/components/FlagChip'
import { Masked } from '@/components/Masked'
import { Button } from '@/components/ui/button'
import { plural } from '@/lib/format'
import { callOf } from '../model'
import { useSetSearch } from '../use-live'
import { Section } from './Section'

const AT_FIRST = 6

/** Every flag of the turn in words, with links to what it rests on. */
export function FlagList({ turn }: { turn: Turn }) {
  const [all, setAll] = useState(false)
  const flags = turn.flags
  if (flags.length === 0) return null
  const shown = all ? flags : flags.slice(0, AT_FIRST)
  return (
    <Section title={plural(flags.length, 'flag')}>
      <ul className="flex flex-col gap-2">
        {shown.map((flag, i) => (
          <FlagItem key={i} flag={flag} turn={turn} />
        ))}
      </ul>
      {shown.length < flags.length && (
        <Button variant="link" size="inline" className="mt-1" onClick={() => setAll(true)}>
          Show all {flags.length}
        </Button>
      )}
    </Section>
  )
}

function FlagItem({ flag, turn }: { flag: Flag; turn: Turn }) {
  const { data: docs = [] } = useQuery(queries.flagDocs())
  const doc = docs.find((d) => d.kind === flag.kind)?.doc
  return (
    <li className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-2 max-sm:grid-cols-1">
      <FlagChip kind={flag.kind} reasons={doc ? [doc] : []} className="h-5" />
      <div className="min-w-0">
        <TargetLink target={flag.at} turn={turn}>
          {flag.reason}
        </TargetLink>
        {flag.evidence.length > 0 && (
          <ul className="mt-0.5 flex flex-col gap-0.5 border-l pl-2.5 text-small text-text-2">
            {flag.evidence.map((e, i) => (
              <li key={i} className="min-w-0 break-words">
                <TargetLink target={e.at} turn={turn}>
                  {e.text}
                </TargetLink>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

function TargetLink({ target, turn, children }: { target: Target; turn: Turn; children: string }) {
  const set = useSetSearch()
  const call = callOf(turn, target)
  if (!call) return <span><Masked text={children} /></span>
  return (
    <button
      type="button"
      className="max-w-full text-left break-words decoration-line-strong underline-offset-2 hover:underline"
      data-tip={`Go to ${call.tool}`}
      onClick={() => set({ turn: turn.index + 1, tab: 'calls', call: call.seq }, true)}
    >
      <Masked text={children} />
    </button>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Side } from '@/api/types'
import { queries } from '@/api/queries'
import { agentLabel } from '@/components/AgentGlyph'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { plural } from '@/lib/format'
import { titleOf } from '@/lib/session'
import type { SideName } from '../search'
import { termParts, termsOf, withTerm, withoutTerm } from '../search'
import { useCompareSearch, useSetSearch } from '../use-compare'
import { SideMark } from './SideMark'

const GroupPicker = lazy(() => import('./GroupPicker').then((m) => ({ default: m.GroupPicker })))

const MOST_RUNS = 200 // the daemon compares no more of a group

interface Props {
  side: SideName
  found: Side | undefined
  picking: boolean
  onPicking: (on: boolean) => void
}

/** One side that is several sessions: the filters and picks that make it up, and how many runs that is. */
export function GroupCard({ side, found, picking, onPicking }: Props) {
  const search = useCompareSearch()
  const set = useSetSearch()
  const group = side === 'a' ? search.groupA : search.groupB
  const terms = termsOf(group)
  const change = (next: string | undefined) => set(side === 'a' ? { groupA: next } : { groupB: next })
  const letter = side.toUpperCase()
  return (
    <section aria-label={`Side ${letter}`} className={cn('flex min-h-13 min-w-0 items-center gap-2.5 rounded-md border bg-panel px-3 py-1.5', terms.length === 0 && 'border-dashed border-line-strong')}>
      <SideMark side={side} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">
        {terms.map((term) => (
          <Term key={term} term={term} onRemove={() => change(withoutTerm(group, term))} />
        ))}
        <Button size="default" variant={terms.length === 0 ? 'outline' : 'ghost'} aria-haspopup="dialog" onClick={() => onPicking(true)}>
          <Plus size={14} aria-hidden /> {terms.length === 0 ? 'Choose runs…' : 'Add'}
        </Button>
      </div>
      {found && (
        <span data-tip={found.sessions.length >= MOST_RUNS ? `The newest ${MOST_RUNS}; more may match.` : undefined} className="shrink-0 text-text-2 tabular-nums">
          {found.sessions.length >= MOST_RUNS && 'newest '}
          {plural(found.sessions.length, 'run')}
        </span>
      )}
      <Suspense>{picking && <GroupPicker side={letter} onPick={(term) => change(withTerm(group, term))} onClose={() => onPicking(false)} />}</Suspense>
    </section>
  )
}

function Term({ term, onRemove }: { term: string; onRemove: () => void }) {
  const part = termParts(term)
  const words = 'filter' in part ? `${part.filter} ${part.filter === 'agent' ? agentLabel(part.value) : part.value}` : undefined
  return (
    <span className="flex h-7 max-w-full min-w-0 items-center rounded-md bg-raised pl-2">
      <span className="truncate" data-tip={term}>
        {'filter' in part ? (
          <>
            <span className="text-text-3">{part.filter}</span> {part.filter === 'agent' ? agentLabel(part.value) : part.value}
          </>
        ) : (
          <SessionName id={part.session} />
        )}
      </span>
      <button type="button" aria-label={`Remove ${words ?? 'the session'}`} data-tip="Remove" onClick={onRemove} className="flex size-7 shrink-0 items-center justify-center text-text-3 hover:text-text">
        <X size={13} aria-hidden />
      </button>
    </span>
  )
}

function SessionName({ id }: { id: string }) {
  const { data } = useQuery(queries.session(id))
  return data ? titleOf(data) : id
}

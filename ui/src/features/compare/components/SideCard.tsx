import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowUpRight, ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { queries } from '@/api/queries'
import { AgentGlyph, agentLabel } from '@/components/AgentGlyph'
import { cn } from '@/lib/cn'
import { absolute, ago } from '@/lib/format'
import { placeOfSession, titleOf } from '@/lib/session'
import { useNow } from '@/hooks/use-now'
import type { SideName } from '../search'
import { modeOf, sideOf } from '../search'
import { useCompareSearch, useSetSearch } from '../use-compare'
import { Labels } from './Labels'
import { SideMark } from './SideMark'

const SidePicker = lazy(() => import('./SidePicker').then((m) => ({ default: m.SidePicker })))

/** One side: what is chosen, and the way to choose something else. */
export function SideCard({ side, picking, onPicking }: { side: SideName; picking: boolean; onPicking: (on: boolean) => void }) {
  const search = useCompareSearch()
  const set = useSetSearch()
  const turns = modeOf(search) === 'turns'
  const { session, turn } = sideOf(search, side)
  const letter = side.toUpperCase()
  const chosen = session !== undefined && (!turns || turn !== undefined)

  function pick(id: string, index: number | undefined): void {
    set(side === 'a' ? { a: id, turnA: index } : { b: id, turnB: index })
  }
  return (
    <section aria-label={`Side ${letter}`} className={cn('min-w-0 rounded-md border bg-panel', !chosen && 'border-dashed border-line-strong')}>
      <div className="flex items-stretch">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => onPicking(true)}
          className="flex min-h-13 min-w-0 flex-1 items-center gap-2.5 rounded-md px-3 py-1.5 text-left hover:bg-hover"
        >
          <SideMark side={side} />
          {session ? <Chosen id={session} turn={turns ? turn : undefined} choose={turns && turn === undefined} /> : <span className="flex-1 text-text-2">Choose a {turns ? 'turn' : 'session'}…</span>}
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-text-3" />
        </button>
        {chosen && (
          <Link
            to="/live"
            search={{ session, ...(turn ? { turn } : {}) }}
            aria-label={`Open ${letter} in Live`}
            data-tip="Open in Live"
            className="flex w-9 shrink-0 items-center justify-center rounded-md text-text-3 hover:bg-hover hover:text-text"
          >
            <ArrowUpRight size={15} aria-hidden />
          </Link>
        )}
      </div>
      {session && <Labels id={session} />}
      <Suspense>{picking && <SidePicker side={letter} session={session} turns={turns} onPick={pick} onClose={() => onPicking(false)} />}</Suspense>
    </section>
  )
}

function Chosen({ id, turn, choose }: { id: string; turn: number | undefined; choose: boolean }) {
  const { data: session, error } = useQuery(queries.session(id))
  const now = useNow(60_000)
  if (!session) return <span className="min-w-0 flex-1 truncate text-text-2">{error ? `${id} is not known here` : id}</span>
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2.5">
      <AgentGlyph agent={session.agent} size={18} named />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="truncate font-semibold">{titleOf(session)}</span>
          {turn !== undefined && <span className="shrink-0 text-text-2">turn {turn}</span>}
          {choose && <span className="shrink-0 text-accent">choose a turn…</span>}
        </span>
        <span className="block truncate text-small text-text-2">
          {[agentLabel(session.agent), placeOfSession(session), session.model].filter(Boolean).join(' · ')} · <span data-tip={absolute(session.startedAt)}>{ago(session.startedAt, now)}</span>
        </span>
      </span>
    </span>
  )
}

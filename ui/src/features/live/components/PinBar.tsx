import { Link } from '@tanstack/react-router'
import { ArrowUpToLine, GitCompareArrows, Pin } from 'lucide-react'
import type { Turn } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useCurrentSession } from '@/hooks/use-current-session'
import { plural } from '@/lib/format'
import { useLiveSearch, useSetSearch } from '../use-live'

/** Whether the view follows the latest turn, and the way back to it. */
export function PinBar({ rows, hidden }: { rows: Turn[]; hidden: number }) {
  const { turn } = useLiveSearch()
  const set = useSetSearch()
  const { id } = useCurrentSession()
  const latest = rows[0]?.index
  const newer = turn === undefined || latest === undefined ? 0 : Math.max(0, latest + 1 - turn)
  return (
    <footer className="flex h-8 shrink-0 items-center gap-2 border-t px-2 text-small text-text-3">
      {turn === undefined ? (
        <span className="flex items-center gap-1.5 px-1.5">
          <Pin size={13} aria-hidden className="text-accent" /> Pinned to latest
        </span>
      ) : (
        <Button size="tiny" className="px-1.5" onClick={() => set({ turn: undefined, call: undefined })}>
          <ArrowUpToLine size={13} aria-hidden /> Pin to latest
          {newer > 0 && <span className="text-accent">{plural(newer, 'newer turn')}</span>}
        </Button>
      )}
      {id && latest !== undefined && (
        <Button asChild size="tiny" className="ml-auto px-1.5">
          <Link to="/compare" search={{ by: 'turns', a: id, turnA: turn ?? latest + 1 }}>
            <GitCompareArrows size={13} aria-hidden /> Compare turns…
          </Link>
        </Button>
      )}
      {hidden > 0 && (
        <span className="flex items-center gap-1">
          {plural(hidden, 'earlier turn')} hidden
          <Button size="tiny" variant="link" onClick={() => set({ full: true })}>
            Show full session
          </Button>
        </span>
      )}
    </footer>
  )
}

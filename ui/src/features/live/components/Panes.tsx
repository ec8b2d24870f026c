import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '@/api/queries'
import type { Session, Turn } from '@/api/types'
import { Split } from '@/components/Split'
import { useNarrow } from '@/hooks/use-media'
import { shownSince, timeline } from '../model'
import { liveQueries, turnFilter } from '../queries'
import { hasFilter } from '../search'
import { useLiveSearch } from '../use-live'
import { useLiveKeys } from '../use-live-keys'
import { Banner } from './Banner'
import { TimelinePane } from './TimelinePane'
import { TurnDetail } from './TurnDetail'

const noTurns: Turn[] = []

/** Timeline and detail side by side; on a narrow screen one or the other. */
export function Panes({ session }: { session: Session }) {
  const search = useLiveSearch()
  const narrow = useNarrow()
  const all = useQuery(liveQueries.turns(session.id, {}))
  const filtered = useQuery(liveQueries.turns(session.id, turnFilter(search)))
  const { data: attachment } = useQuery({ ...queries.health(), select: (health) => health.attachment })
  const since = shownSince(attachment, session.id, search.full ?? false)
  const rows = useMemo(() => timeline(filtered.data?.turns ?? noTurns, since), [filtered.data, since])
  const hidden = hasFilter(search) ? 0 : (filtered.data?.turns.length ?? 0) - rows.length
  const latest = all.data?.turns.at(-1)
  const shown = search.turn === undefined ? (rows[0] ?? latest)?.index : search.turn - 1
  useLiveKeys({ session, rows, shown })

  const list = <TimelinePane session={session} page={filtered} rows={rows} hidden={hidden} shown={narrow ? undefined : shown} />
  const detail = shown === undefined ? null : <TurnDetail key={shown} session={session} index={shown} />
  const banner = <Banner session={session} latest={latest} shown={shown} />
  if (narrow) {
    return (
      <div className="flex h-full flex-col">
        {banner}
        <div className="min-h-0 flex-1">{search.turn === undefined ? list : detail}</div>
      </div>
    )
  }
  return (
    <div className="flex h-full flex-col">
      {banner}
      <Split name="live" label="Width of the timeline" share={0.42} least={[320, 380]} left={list} right={detail} />
    </div>
  )
}

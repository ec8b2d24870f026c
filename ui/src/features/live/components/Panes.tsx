import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { queries } from '@/api/queries'
import type { Session, Turn } from '@/api/types'
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
  const layout = useDefaultLayout({ id: 'turnwatch.live', storage: localStorage })
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
      <Group orientation="horizontal" className="min-h-0 flex-1" defaultLayout={layout.defaultLayout} onLayoutChanged={layout.onLayoutChanged}>
        <Panel id="timeline" defaultSize="42%" minSize="320px" className="min-w-0">
          {list}
        </Panel>
        <Separator className="relative w-px bg-line outline-none transition-colors after:absolute after:inset-y-0 after:-left-1 after:w-2 after:content-[''] hover:bg-accent focus-visible:bg-accent data-[separator=active]:bg-accent" />
        <Panel id="detail" minSize="380px" className="min-w-0">
          {detail}
        </Panel>
      </Group>
    </div>
  )
}

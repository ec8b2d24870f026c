import type { UseQueryResult } from '@tanstack/react-query'
import { FilterX, MessageSquareDashed } from 'lucide-react'
import type { Session, Turn, TurnPage } from '@/api/types'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Notice } from '@/components/Notice'
import { Skeleton } from '@/components/Skeleton'
import { Button } from '@/components/ui/button'
import { plural } from '@/lib/format'
import { hasFilter, noFilter } from '../search'
import { useLiveSearch, useSetSearch } from '../use-live'
import { FilterBar } from './FilterBar'
import { PinBar } from './PinBar'
import { Timeline } from './Timeline'

interface Props {
  session: Session
  page: UseQueryResult<TurnPage>
  rows: Turn[]
  hidden: number // turns from before the shared focus came here
  shown: number | undefined
}

export function TimelinePane({ session, page, rows, hidden, shown }: Props) {
  return (
    <section aria-label="Turns" className="flex h-full flex-col bg-panel">
      <FilterBar session={session} found={rows.length} total={page.data?.total ?? 0} />
      <div className="min-h-0 flex-1">
        <Body session={session} page={page} rows={rows} hidden={hidden} shown={shown} />
      </div>
      <PinBar rows={rows} hidden={hidden} />
    </section>
  )
}

function Body({ session, page, rows, hidden, shown }: Props) {
  const search = useLiveSearch()
  const set = useSetSearch()
  if (page.isPending) return <Skeleton label="Loading the turns" />
  if (!page.data) return <ErrorNotice error={page.error} what="The turns could not be loaded" onRetry={() => void page.refetch()} />
  if (rows.length > 0) return <Timeline session={session} rows={rows} shown={shown} pinned={search.turn === undefined} />
  if (hasFilter(search)) {
    return (
      <Notice
        icon={FilterX}
        title="No turn matches the filter"
        actions={
          <Button variant="outline" onClick={() => set(noFilter)}>
            Clear the filter
          </Button>
        }
      >
        The session has {plural(page.data.total, 'turn')}.
      </Notice>
    )
  }
  if (hidden > 0) {
    return (
      <Notice
        icon={MessageSquareDashed}
        title="Nothing yet since you attached"
        actions={
          <Button variant="outline" onClick={() => set({ full: true })}>
            Show full session
          </Button>
        }
      >
        The next prompt shows up here. {plural(hidden, 'earlier turn')} hidden.
      </Notice>
    )
  }
  return (
    <Notice icon={MessageSquareDashed} title="No turn yet">
      The first prompt shows up here as soon as the agent writes it to its log.
    </Notice>
  )
}

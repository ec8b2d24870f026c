import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lazy, Suspense } from 'react'
import type { Session, Turn } from '@/api/types'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Skeleton } from '@/components/Skeleton'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import { compact } from '@/lib/format'
import { isRunning } from '../model'
import { liveQueries } from '../queries'
import type { DetailTab } from '../search'
import { useLiveSearch, useSetSearch } from '../use-live'
import { CallsTab } from './CallsTab'
import { DetailHeader } from './DetailHeader'
import { OverviewTab } from './OverviewTab'

const FlowTab = lazy(() => import('./FlowTab').then((m) => ({ default: m.FlowTab })))
const ModelTab = lazy(() => import('./ModelTab').then((m) => ({ default: m.ModelTab })))
const RawTab = lazy(() => import('./RawTab').then((m) => ({ default: m.RawTab })))

interface Props {
  session: Session
  index: number
}

export function TurnDetail({ session, index }: Props) {
  const query = useQuery(liveQueries.turn(session.id, index))
  const turn = query.data
  return (
    <section aria-label={`Turn ${index + 1}`} className="flex h-full flex-col bg-page">
      {turn ? (
        <Detail session={session} turn={turn} />
      ) : query.error ? (
        <ErrorNotice error={query.error} what={`Turn ${index + 1} could not be loaded`} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton label="Loading the turn" rows={4} />
      )}
    </section>
  )
}

function Detail({ session, turn }: { session: Session; turn: Turn }) {
  const search = useLiveSearch()
  const set = useSetSearch()
  const running = isRunning(turn, session)
  const tab: DetailTab = search.tab ?? 'overview'
  const calls = turn.toolCalls?.length ?? 0
  const trips = turn.roundTrips?.length ?? 0

  // Whoever reads on in a turn that is only shown because it is the latest wants to stay with it.
  const hold = (): void => {
    if (search.turn === undefined) set({ turn: turn.index + 1 })
  }
  return (
    <Tabs value={tab} onValueChange={(v) => set({ tab: v === 'overview' ? undefined : (v as Exclude<DetailTab, 'overview'>), turn: search.turn })} className="flex min-h-0 flex-1 flex-col">
      <DetailHeader session={session} turn={turn} running={running} />
      <TabsList aria-label="Parts of the turn">
        <TabsTrigger value="overview">Overview</TabsTrigger>
        <TabsTrigger value="calls">
          Calls <Count n={calls} />
        </TabsTrigger>
        <TabsTrigger value="flow">Flow</TabsTrigger>
        <TabsTrigger value="model">
          Round trips <Count n={trips} />
        </TabsTrigger>
        <TabsTrigger value="raw">Raw</TabsTrigger>
      </TabsList>
      <Pane tab="overview" onRead={hold}>
        <OverviewTab session={session} turn={turn} running={running} />
      </Pane>
      <Pane tab="calls" onRead={hold}>
        <CallsTab session={session} turn={turn} running={running} />
      </Pane>
      <Pane tab="flow" onRead={hold}>
        <FlowTab session={session} turn={turn} />
      </Pane>
      <Pane tab="model" onRead={hold}>
        <ModelTab session={session} turn={turn} />
      </Pane>
      <Pane tab="raw" onRead={hold}>
        <RawTab session={session} turn={turn} />
      </Pane>
    </Tabs>
  )
}

function Count({ n }: { n: number }) {
  return <span className="text-small text-text-3">{compact(n)}</span>
}

function Pane({ tab, onRead, children }: { tab: DetailTab; onRead: () => void; children: ReactNode }) {
  return (
    <TabsContent value={tab} tabIndex={-1} className="flex flex-col" onWheel={(e) => e.deltaY > 0 && onRead()} onTouchMove={onRead}>
      <Suspense>{children}</Suspense>
    </TabsContent>
  )
}

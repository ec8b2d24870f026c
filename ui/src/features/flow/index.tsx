import { useQuery } from '@tanstack/react-query'
import { MessageSquareDashed } from 'lucide-react'
import { queries } from '@/api/queries'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Notice } from '@/components/Notice'
import { Skeleton } from '@/components/Skeleton'
import { useCurrentSession } from '@/hooks/use-current-session'
import { Levels } from './components/Levels'
import { flowQueries } from './queries'

/** The Flow view: the session as a ribbon, its turns as a map, one turn as a graph. */
export function FlowView() {
  const { id } = useCurrentSession()
  return id === undefined ? null : <Flow key={id} id={id} />
}

function Flow({ id }: { id: string }) {
  const session = useQuery(queries.session(id))
  const ribbon = useQuery(flowQueries.ribbon(id))
  const turns = useQuery(flowQueries.turns(id))
  const error = session.error ?? ribbon.error ?? turns.error
  if (!session.data || !ribbon.data || !turns.data) {
    if (!error) return <Skeleton label="Loading the flow" />
    const retry = (): void => [session, ribbon, turns].forEach((query) => void (query.error && query.refetch()))
    return <ErrorNotice error={error} what="The flow could not be loaded" onRetry={retry} />
  }
  if (ribbon.data.turns.length === 0 || turns.data.turns.length === 0) {
    return (
      <Notice icon={MessageSquareDashed} title="No turn yet">
        The first prompt shows up here as soon as the agent writes it to its log.
      </Notice>
    )
  }
  return <Levels session={session.data} ribbon={ribbon.data} turns={turns.data.turns} />
}

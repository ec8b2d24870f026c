import type { QueryClient } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { queries } from '@/api/queries'

export interface CurrentSession {
  id: string | undefined
  pending: boolean // not known yet
  error: unknown
  retry: () => void
}

const newest = { limit: 1 }

/** The session that a page without one in its URL shows, as far as the cache knows. */
export function knownSession(client: QueryClient): string | undefined {
  const attached = client.getQueryData(queries.health().queryKey)?.attachedSession
  const live = client.getQueryData(queries.liveSessions().queryKey)?.[0]
  return attached ?? (live ?? client.getQueryData(queries.sessions(newest).queryKey)?.sessions[0])?.id
}

/**
 * The session that is shown: the URL's, else the attached one, else one that is live, else the newest. A page without
 * a session in its URL thus follows what goes on.
 */
export function useCurrentSession(): CurrentSession {
  const { session: chosen } = useSearch({ strict: false })
  const health = useQuery(queries.health())
  const live = useQuery({ ...queries.liveSessions(), enabled: !chosen })
  const list = useQuery({ ...queries.sessions(newest), enabled: !chosen })
  const id = chosen ?? health.data?.attachedSession ?? live.data?.[0]?.id ?? list.data?.sessions[0]?.id
  const settled = chosen ? true : !health.isPending && !live.isPending && !list.isPending
  return {
    id: settled ? id : undefined,
    pending: !settled,
    error: chosen ? null : (list.error ?? health.error),
    retry: () => {
      void health.refetch()
      void live.refetch()
      void list.refetch()
    },
  }
}

import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { FileWarning } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { ApiError } from '@/api/client'
import type { Ref } from '@/api/types'
import { queries } from '@/api/queries'
import { ErrorNotice } from '@/components/ErrorNotice'
import { preloadMarkdown } from '@/components/Markdown'
import { Notice } from '@/components/Notice'
import { Skeleton } from '@/components/Skeleton'
import { SourceContext } from '@/components/Sourced'
import { useCurrentSession } from '@/hooks/use-current-session'
import { rawOf } from '@/lib/raw'
import { Panes } from './components/Panes'
import { liveQueries } from './queries'
import { useLiveSearch, useSetSearch } from './use-live'

const RawSheet = lazy(() => import('@/components/RawSheet').then((m) => ({ default: m.RawSheet })))

/** The Live view: the session's turns on the left, one turn on the right, both as they happen. */
export function LiveView() {
  const { id } = useCurrentSession()
  return id === undefined ? null : <Live key={id} id={id} />
}

function Live({ id }: { id: string }) {
  const session = useQuery(queries.session(id))
  usePrefetchQuery(liveQueries.turns(id, {})) // side by side with the session, not after it
  const { raw } = useLiveSearch()
  useEffect(preloadMarkdown, [])
  const set = useSetSearch()
  const path = session.data?.path ?? ''
  const source = useMemo(
    () => ({ path, open: (ref: Ref) => set({ raw: rawOf(ref) }, true) }),
    [path, set],
  )
  if (session.isPending) return <Skeleton label="Loading the session" />
  if (!session.data) {
    const gone = session.error instanceof ApiError && session.error.code === 'not_found'
    if (gone) return <Notice icon={FileWarning} title="This session is not known here">The link may be from another machine, or the history is still being read.</Notice>
    return <ErrorNotice error={session.error} what="The session could not be loaded" onRetry={() => void session.refetch()} />
  }
  return (
    <SourceContext value={source}>
      <Panes session={session.data} />
      <Suspense>{raw && <RawSheet session={session.data} at={raw} onClose={() => set({ raw: undefined })} />}</Suspense>
    </SourceContext>
  )
}

import { useQuery } from '@tanstack/react-query'
import { FileWarning } from 'lucide-react'
import { useEffect } from 'react'
import { ApiError } from '@/api/client'
import { queries } from '@/api/queries'
import { ErrorNotice } from '@/components/ErrorNotice'
import { preloadMarkdown } from '@/components/Markdown'
import { Notice } from '@/components/Notice'
import { Skeleton } from '@/components/Skeleton'
import { Button } from '@/components/ui/button'
import { useCurrentSession } from '@/hooks/use-current-session'
import { Conversation } from './components/Conversation'
import { conversationQueries } from './queries'
import { useConversationSearch, useSetSearch } from './use-conversation'

/** The Conversation view: what was said, for reading. */
export function ConversationView() {
  const { id } = useCurrentSession()
  return id === undefined ? null : <Session key={id} id={id} />
}

function Session({ id }: { id: string }) {
  const { agent } = useConversationSearch()
  const set = useSetSearch()
  useEffect(preloadMarkdown, [])
  const transcripts = useQuery(conversationQueries.transcripts(id))
  const chosen = transcripts.data?.find((t) => t.id === (agent ?? 'main'))
  const session = useQuery({ ...queries.session(chosen?.session ?? id), enabled: chosen !== undefined })
  const error = transcripts.error ?? session.error
  if (error && !(transcripts.data && session.data)) {
    if (error instanceof ApiError && error.code === 'not_found') {
      return <Notice icon={FileWarning} title="This session is not known here">The link may be from another machine, or the history is still being read.</Notice>
    }
    return <ErrorNotice error={error} what="The conversation could not be loaded" onRetry={() => void (transcripts.error ? transcripts.refetch() : session.refetch())} />
  }
  if (transcripts.data && !chosen) {
    return (
      <Notice
        icon={FileWarning}
        title="This session has no such transcript"
        actions={
          <Button variant="outline" onClick={() => set({ agent: undefined, line: undefined })}>
            Show the main conversation
          </Button>
        }
      />
    )
  }
  if (!chosen || !session.data) return <Skeleton label="Loading the conversation" />
  return <Conversation key={chosen.session} session={session.data} transcripts={transcripts.data!} chosen={chosen} />
}

import { useQuery } from '@tanstack/react-query'
import { FileX, MessageSquareDashed } from 'lucide-react'
import { Suspense, lazy, useEffect, useMemo, useState } from 'react'
import type { Ref, Session, TranscriptInfo } from '@/api/types'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Notice } from '@/components/Notice'
import { Skeleton } from '@/components/Skeleton'
import { SourceContext } from '@/components/Sourced'
import { rawOf } from '@/lib/raw'
import type { ConversationContext } from '../context'
import { Context } from '../context'
import { partsWith } from '../find'
import { modelChanges, rowAtLine, rowsOf, turnsOf, weave, withOutcomes } from '../model'
import { conversationQueries } from '../queries'
import { useConversationSearch, useSetSearch } from '../use-conversation'
import { useFind } from '../use-find'
import { useConversationKeys } from '../use-keys'
import { useOpen } from '../use-open'
import { useRewritten } from '../use-rewritten'
import { useWindow } from '../use-window'
import { MessageList } from './MessageList'
import { partKey } from './MessageRow'
import { Toolbar } from './Toolbar'

interface Props {
  session: Session // whose log is shown
  transcripts: TranscriptInfo[]
  chosen: TranscriptInfo
}

const RawSheet = lazy(() => import('@/components/RawSheet').then((m) => ({ default: m.RawSheet })))

const nothing: never[] = []

export function Conversation({ session, transcripts, chosen }: Props) {
  const { line, find = '', whole = false, raw } = useConversationSearch()
  const set = useSetSearch()
  const [opened] = useState(line) // later choices move within what is loaded, or load it themselves
  const query = useQuery({ ...conversationQueries.conversation(session.id, opened), enabled: chosen.has_transcript })
  const w = query.data
  const messages = useMemo(() => weave(w?.messages ?? nothing), [w?.messages])
  const { data: turns = nothing } = useQuery(conversationQueries.turns(session.id, ...turnsOf(messages)))
  const over = session.state === 'ended' || session.state === 'crashed'
  const rows = useMemo(
    () => withOutcomes(rowsOf(messages, w?.hasOlder ?? false), turns, w?.hasNewer ?? false, over),
    [messages, w?.hasOlder, w?.hasNewer, turns, over],
  )
  const models = useMemo(() => modelChanges(messages), [messages])
  const control = useWindow(session.id)
  const { isOpen, toggle, toggleAll } = useOpen()
  const search = useFind(chosen.has_transcript ? session.id : undefined, w, rows, control)

  const message = (at: number) => {
    const row = rows[rowAtLine(rows, at)]
    return row?.kind === 'message' ? row.message : undefined
  }
  const [ends, setEnds] = useState(0)
  useConversationKeys({
    w,
    onEnd: () => setEnds((n) => n + 1),
    rows,
    control,
    onOpen: (at) => {
      const m = message(at)
      if (m) toggleAll(m.content.map((_, i) => partKey(m, i)))
    },
  })

  // A link or a step to what is not loaded loads it.
  const missing = w !== undefined && line !== undefined && ((line < w.firstLine && w.hasOlder) || (line > w.lastLine && w.hasNewer))
  const { open, loading } = control
  useEffect(() => {
    if (missing && !loading) void open(line)
  }, [missing, loading, open, line])

  useRewritten(w?.generation)
  const source = useMemo(() => ({ path: session.path, open: (ref: Ref) => set({ raw: rawOf(ref) }, true) }), [session.path, set])

  const current = line === undefined || find === '' ? undefined : message(line)
  const found = new Set(current ? [...partsWith(current, find)].map((i) => partKey(current, i)) : [])
  const context: ConversationContext = {
    session,
    transcripts,
    whole,
    isOpen: (part) => isOpen(part, found.has(part)),
    toggle: (part) => toggle(part, found.has(part)),
    children: new Map(session.children.flatMap((child) => {
      const transcript = child.parentCall ? transcripts.find((t) => t.session === child.id) : undefined
      return transcript ? [[child.parentCall!, transcript] as const] : []
    })),
    showTranscript: (id) => set({ agent: id === 'main' ? undefined : id, line: undefined }, true),
  }
  return (
    <Context value={context}>
      <SourceContext value={source}>
        <section aria-label="Conversation" className="flex h-full flex-col">
          <h2 className="sr-only">Conversation</h2>
          <Toolbar transcripts={transcripts} chosen={chosen} onChoose={context.showTranscript} title={chosen.name || session.title} w={w} messages={messages} find={search} />
          {!chosen.has_transcript ? (
            <Notice icon={FileX} title="The log is no longer there">
              The agent removed its file. What was counted is kept: turns, calls and tokens are in the Live view.
            </Notice>
          ) : query.error && !w ? (
            <ErrorNotice error={query.error} what="The conversation could not be loaded" onRetry={() => void query.refetch()} />
          ) : !w ? (
            <Skeleton label="Loading the messages" />
          ) : messages.length === 0 ? (
            <Notice icon={MessageSquareDashed} title="Nothing was said yet">
              The first message shows up here as soon as the agent writes it to its log.
            </Notice>
          ) : (
            <MessageList key={w.generation} w={w} messages={messages} rows={rows} turns={turns} models={models} control={control} ends={ends} />
          )}
        </section>
        <Suspense>{raw && <RawSheet session={session} at={raw} onClose={() => set({ raw: undefined })} />}</Suspense>
      </SourceContext>
    </Context>
  )
}

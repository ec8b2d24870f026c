import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { api } from '@/api/client'
import type { ConversationWindow } from '@/api/conversation'
import { PAGE, openWindow, windowAfter, withNewer, withOlder } from '@/api/conversation'
import { keys } from '@/api/keys'

export type Loading = 'older' | 'newer' | 'jump' | undefined

export interface WindowControl {
  loading: Loading
  failed: boolean // the last request for older or newer messages
  older: () => Promise<void>
  newer: () => Promise<void>
  /** Shows what stands around a line; undefined = the newest messages, 1 = the first ones. */
  open: (line: number | undefined) => Promise<ConversationWindow | undefined>
}

/** The newest messages of a log that was written anew; nothing that was loaded of it is true any more. */
async function anew(session: string): Promise<() => ConversationWindow> {
  const fresh = await openWindow(session, undefined)
  return () => fresh
}

/** Makes the loaded piece of a conversation longer, or takes another one. */
export function useWindow(session: string): WindowControl {
  const client = useQueryClient()
  const [loading, setLoading] = useState<Loading>()
  const [failed, setFailed] = useState(false)
  const busy = useRef(false)

  const run = useCallback(
    async (what: Loading, change: (w: ConversationWindow) => Promise<(now: ConversationWindow) => ConversationWindow>) => {
      const key = keys.conversation(session)
      const w = client.getQueryData<ConversationWindow>(key)
      if (!w || busy.current) return undefined
      busy.current = true
      setLoading(what)
      try {
        const merge = await change(w)
        setFailed(false)
        return client.setQueryData<ConversationWindow>(key, (now) => now && merge(now))
      } catch {
        setFailed(true)
        return undefined
      } finally {
        busy.current = false
        setLoading(undefined)
      }
    },
    [client, session],
  )

  return useMemo(
    () => ({
      loading,
      failed,
      older: async () => {
        await run('older', async (w) => {
          const page = await api.conversation(session, { limit: PAGE, before: w.firstLine })
          return page.generation === w.generation ? (now) => withOlder(now, page, w.firstLine) : anew(session)
        })
      },
      newer: async () => {
        await run('newer', async (w) => {
          const page = await api.conversation(session, { limit: PAGE, after: w.lastLine })
          return page.generation === w.generation ? (now) => withNewer(now, page, w.lastLine) : anew(session)
        })
      },
      open: (line) =>
        run('jump', async () => {
          const w = line === 1 ? windowAfter(await api.conversation(session, { limit: PAGE, after: 0 }), 0) : await openWindow(session, line)
          return () => w
        }),
    }),
    [session, run, loading, failed],
  )
}

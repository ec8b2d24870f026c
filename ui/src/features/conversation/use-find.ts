import { useQuery } from '@tanstack/react-query'
import type { ConversationWindow } from '@/api/conversation'
import { plural } from '@/lib/format'
import { findIn, nextHit } from './find'
import type { Row } from './model'
import { rowsOf, weave } from './model'
import { conversationQueries } from './queries'
import { useConversationSearch, useSetSearch } from './use-conversation'
import type { WindowControl } from './use-window'

export interface Find {
  any: boolean
  ready: boolean // what was asked of the daemon has come
  summary: string
  go: (by: 1 | -1) => Promise<void>
}

const none: Row[] = []

/** Finds in what is loaded at once, and beyond it by the turns that the daemon names. */
export function useFind(session: string | undefined, w: ConversationWindow | undefined, rows: Row[] = none, control: WindowControl): Find {
  const { find = '', line } = useConversationSearch()
  const set = useSetSearch()
  const partly = w !== undefined && (w.hasOlder || w.hasNewer)
  const turns = useQuery({ ...conversationQueries.found(session ?? '', find), enabled: find !== '' && partly && session !== undefined })
  const hits = findIn(rows, find)
  const starts = (turns.data?.turns ?? []).map((t) => t.ref.line).filter((l) => l > 0 && w && (l < w.firstLine || l > w.lastLine))

  async function go(by: 1 | -1): Promise<void> {
    const here = nextHit(hits, line, by)
    if (here) {
      set({ line: here.line })
      return
    }
    const from = line ?? w?.lastLine ?? 0
    const start = by > 0 ? starts.find((l) => l > from) : starts.findLast((l) => l < from)
    if (start === undefined) {
      const around = by > 0 ? hits[0] : hits.at(-1)
      if (around) set({ line: around.line })
      return
    }
    const there = await control.open(start)
    const found = there ? findIn(rowsOf(weave(there.messages), there.hasOlder), find) : []
    set({ line: (nextHit(found, from, by) ?? found.find((h) => h.line >= start))?.line ?? start })
  }

  const at = hits.findIndex((h) => h.line === line)
  const beyond = starts.length > 0 ? ` + ${plural(starts.length, 'turn')}` : ''
  const summary = hits.length === 0 && starts.length === 0 ? (turns.isFetching ? '…' : 'nothing') : `${at >= 0 ? `${at + 1} / ` : ''}${hits.length}${beyond}`
  return { ready: !turns.isFetching, any: hits.length > 0 || starts.length > 0, summary, go }
}

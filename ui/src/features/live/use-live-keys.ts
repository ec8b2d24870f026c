import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Session, Turn } from '@/api/types'
import { useShortcuts } from '@/hooks/use-shortcuts'
import { nextBroken, nextTurnWithErrors } from './model'
import { liveQueries } from './queries'
import { hasFilter, noFilter } from './search'
import { useLiveSearch, useSetSearch } from './use-live'

interface Context {
  session: Session
  rows: Turn[]
  shown: number | undefined
}

/** What the keyboard table's actions do in the Live view. */
export function useLiveKeys({ session, rows, shown }: Context): void {
  const search = useLiveSearch()
  const set = useSetSearch()
  const client = useQueryClient()
  const navigate = useNavigate()
  const at = rows.findIndex((t) => t.index === shown)

  const parts = () => (shown === undefined ? undefined : client.getQueryData(liveQueries.turn(session.id, shown).queryKey))
  function go(row: number): void {
    const turn = rows[Math.min(Math.max(row, 0), rows.length - 1)]
    if (turn) set({ turn: turn.index + 1, call: undefined })
  }
  function step(by: 1 | -1): void {
    const calls = parts()?.toolCalls ?? []
    const now = calls.findIndex((c) => c.seq === search.call)
    const next = now < 0 ? (by > 0 ? calls[0] : calls.at(-1)) : calls[now + by]
    if (next && shown !== undefined) set({ turn: shown + 1, tab: 'calls', call: next.seq })
  }
  async function nextError(): Promise<void> {
    if (shown === undefined) return
    const here = nextBroken(parts()?.toolCalls ?? [], search.tab === 'calls' ? search.call : undefined)
    if (here) {
      set({ turn: shown + 1, tab: 'calls', call: here.seq })
      return
    }
    const turn = nextTurnWithErrors(rows, shown)
    if (!turn) return
    const there = await client.fetchQuery(liveQueries.turn(session.id, turn.index))
    set({ turn: turn.index + 1, tab: 'calls', call: nextBroken(there.toolCalls ?? [], undefined)?.seq })
  }
  function clear(): void {
    if (search.raw) set({ raw: undefined })
    else if (search.call !== undefined) set({ call: undefined })
    else if (search.turn !== undefined) set({ turn: undefined })
    else if (hasFilter(search)) set(noFilter)
  }
  const focusFilter = () => document.getElementById('turn-filter')?.focus()
  useShortcuts({
    nextTurn: () => go(at + 1),
    previousTurn: () => go(at - 1),
    firstRow: () => go(0),
    lastRow: () => go(rows.length - 1),
    open: () => shown !== undefined && set({ turn: shown + 1 }),
    search: focusFilter,
    fit: focusFilter,
    clear,
    compare: () => shown !== undefined && void navigate({ to: '/compare', search: { by: 'turns', a: session.id, turnA: shown + 1 } }),
    nextCall: () => step(1),
    previousCall: () => step(-1),
    nextError: () => void nextError(),
  })
}

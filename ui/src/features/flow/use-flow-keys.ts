import type { Ribbon } from '@/api/flow'
import type { Turn } from '@/api/types'
import type { GraphHandle } from '@/components/flow/GraphView'
import { useShortcuts } from '@/hooks/use-shortcuts'
import { useFlowSearch, useSetFlow } from './use-flow'

interface Context {
  ribbon: Ribbon
  turns: Turn[]
  shown: number
  pinned: string | undefined
  onTurn: (index: number) => void
  onPin: (id: string | undefined) => void
  sheets: () => GraphHandle[] // map and turn, as far as they are drawn
}

/** What the keyboard table's actions do in the Flow view. */
export function useFlowKeys({ ribbon, turns, shown, pinned, onTurn, onPin, sheets }: Context): void {
  const search = useFlowSearch()
  const set = useSetFlow()
  const at = turns.findIndex((t) => t.index === shown)
  const go = (row: number): void => {
    const turn = turns[Math.min(Math.max(row, 0), turns.length - 1)]
    if (turn) onTurn(turn.index)
  }
  const callsOf = (index: number) => {
    const row = ribbon.turns.find((t) => t.index === index)
    return row ? ribbon.calls.slice(row.at, row.at + row.n) : []
  }
  function step(by: 1 | -1): void {
    const calls = callsOf(shown)
    const now = calls.findIndex((c) => c[0] === search.call)
    const next = now < 0 ? (by > 0 ? calls[0] : calls.at(-1)) : calls[now + by]
    if (next) onPin(`c${next[0]}`)
  }
  /** The next broken call in this turn, else in the turns that follow, going round. */
  function nextError(): void {
    const fine = new Set([ribbon.statuses.indexOf('ok'), ribbon.statuses.indexOf('pending')])
    const order = [...turns.slice(at), ...turns.slice(0, at + 1)]
    for (const [i, turn] of order.entries()) {
      const found = callsOf(turn.index).find((c) => !fine.has(c[2]) && (i > 0 || search.call === undefined || c[0] > search.call))
      if (!found) continue
      set({ turn: turn.index + 1, call: found[0], node: undefined })
      return
    }
  }
  function clear(): void {
    if (pinned !== undefined) onPin(undefined)
    else if (search.turn !== undefined) set({ turn: undefined })
    else if (search.flag) set({ flag: undefined })
  }
  useShortcuts({
    nextTurn: () => go(at + 1),
    previousTurn: () => go(at - 1),
    firstRow: () => go(0),
    lastRow: () => go(turns.length - 1),
    fit: () => sheets().forEach((sheet) => sheet.fit()),
    zoomIn: () => sheets().forEach((sheet) => sheet.zoom(1)),
    zoomOut: () => sheets().forEach((sheet) => sheet.zoom(-1)),
    clear,
    nextCall: () => step(1),
    previousCall: () => step(-1),
    nextError,
  })
}

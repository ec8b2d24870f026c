import { useShortcuts } from '@/hooks/use-shortcuts'
import type { ConversationWindow } from '@/api/conversation'
import type { Row } from './model'
import { useConversationSearch, useSetSearch } from './use-conversation'
import type { WindowControl } from './use-window'

interface Context {
  w: ConversationWindow | undefined
  rows: Row[]
  control: WindowControl
  onOpen: (line: number) => void
  onEnd: () => void // shows the newest message
}

/** What the keyboard table's actions do in the Conversation view. */
export function useConversationKeys({ w, rows, control, onOpen, onEnd }: Context): void {
  const { line, find } = useConversationSearch()
  const set = useSetSearch()
  const messages = rows.flatMap((r) => (r.kind === 'message' ? [r.message] : []))
  const at = line === undefined ? messages.length : messages.findLastIndex((m) => m.line <= line)

  function step(by: 1 | -1): void {
    const next = messages[at + by]
    if (next) set({ line: next.line })
    else if (by > 0 && w && !w.hasNewer) void last()
  }
  async function first(): Promise<void> {
    const there = w?.hasOlder ? await control.open(1) : w
    const top = there?.messages[0]
    if (top) set({ line: top.line })
  }
  async function last(): Promise<void> {
    if (w?.hasNewer) await control.open(undefined)
    set({ line: undefined })
    onEnd()
  }
  function nextError(): void {
    const broken = messages.filter((m) => m.content.some((p) => (p.result?.status ?? p.status) === 'failed'))
    const next = broken.find((m) => line !== undefined && m.line > line) ?? broken[0]
    if (next) set({ line: next.line })
  }
  const focusFind = () => document.getElementById('conversation-find')?.focus()
  useShortcuts({
    nextTurn: () => step(1),
    previousTurn: () => step(-1),
    firstRow: () => void first(),
    lastRow: () => void last(),
    open: () => line !== undefined && onOpen(line),
    search: focusFind,
    fit: focusFind,
    nextError,
    clear: () => (find ? set({ find: undefined }) : set({ line: undefined })),
  })
}

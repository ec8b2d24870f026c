import { ArrowDown, ArrowUp, Search, X } from 'lucide-react'
import { useCallback, useEffect, useRef } from 'react'
import { IconButton } from '@/components/ui/button'
import { useTyped } from '@/hooks/use-typed'
import type { Find } from '../use-find'
import { useConversationSearch, useSetSearch } from '../use-conversation'

/** Finds a text: Enter goes up to the hit before, Shift+Enter down to the one behind. */
export function FindBox({ find }: { find: Find }) {
  const { find: text = '' } = useConversationSearch()
  const set = useSetSearch()
  const [typed, setTyped] = useTyped(text, useCallback((find) => set({ find: find || undefined }), [set]))
  const found = typed.trim() === text && find.ready

  // Enter may come before what was typed was looked for: then it is done when that is there.
  const owed = useRef<1 | -1>(undefined)
  useEffect(() => {
    const by = owed.current
    if (by === undefined || !found) return
    owed.current = undefined
    void find.go(by)
  })

  function onKeyDown(event: React.KeyboardEvent<HTMLInputElement>): void {
    if (event.key === 'Enter') {
      event.preventDefault()
      const by = event.shiftKey ? 1 : -1
      if (found) void find.go(by)
      else owed.current = by
    }
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (typed === '') event.currentTarget.blur()
      else setTyped('')
    }
  }
  return (
    <div role="search" className="flex h-7 min-w-0 items-center gap-1 rounded-md border bg-page pl-1.5 focus-within:border-line-strong max-sm:order-last max-sm:basis-full sm:w-80">
      <Search size={14} aria-hidden className="shrink-0 text-text-3" />
      <input
        id="conversation-find"
        aria-label="Find in the conversation"
        placeholder="Find"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-full w-full min-w-0 flex-1 bg-transparent outline-none placeholder:text-text-3"
      />
      {text !== '' && (
        <>
          <span role="status" className="shrink-0 text-small whitespace-nowrap text-text-3 tabular-nums">
            {find.summary}
          </span>
          <IconButton label="Previous" size="tinyIcon" disabled={!find.any} onClick={() => void find.go(-1)}>
            <ArrowUp size={13} />
          </IconButton>
          <IconButton label="Next" size="tinyIcon" disabled={!find.any} onClick={() => void find.go(1)}>
            <ArrowDown size={13} />
          </IconButton>
          <IconButton label="Stop finding" size="tinyIcon" className="mr-1" onClick={() => set({ find: undefined })}>
            <X size={13} />
          </IconButton>
        </>
      )}
    </div>
  )
}

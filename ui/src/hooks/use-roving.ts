import type { KeyboardEvent } from 'react'
import { useState } from 'react'

interface Roving {
  /** Of the box around the items. */
  box: { onKeyDown: (event: KeyboardEvent) => void }
  /** Of an item. */
  item: (i: number) => { tabIndex: 0 | -1; 'data-roving': number; onFocus: () => void }
}

/**
 * Makes many small things one stop of the Tab key: the keys that `step` knows go from one to the next. They are focused
 * in truth, so the focus ring, the tooltip and the screen reader follow.
 */
export function useRoving(count: number, first: number, step: (at: number, key: string) => number | undefined): Roving {
  const [chosen, setChosen] = useState<number>()
  const at = Math.min(chosen ?? first, count - 1)
  return {
    box: {
      onKeyDown: (event) => {
        const next = step(at, event.key)
        if (next === undefined) return
        event.preventDefault()
        event.stopPropagation()
        event.currentTarget.querySelector<SVGElement>(`[data-roving="${next}"]`)?.focus()
      },
    },
    item: (i) => ({ tabIndex: i === at ? 0 : -1, 'data-roving': i, onFocus: () => setChosen(i) }),
  }
}

/** Steps along a row: arrows, Home, End. */
export function along(count: number): (at: number, key: string) => number | undefined {
  return (at, key) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[key]
    return to === undefined ? undefined : Math.min(count - 1, Math.max(0, to))
  }
}

import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

const MOST = 500
// The row is first brought into sight, and what is in it is opened and drawn.
const SETTLE_MS = 120

/**
 * Marks a text wherever it is drawn, without touching what React drew. Browsers without the highlight API show no
 * marks; the row that was found is still shown.
 */
export function useHighlights(scroller: RefObject<HTMLElement | null>, text: string, chosen: string | undefined): void {
  const revealed = useRef('')
  useEffect(() => {
    if (!('highlights' in CSS)) return
    const wanted = text.trim().toLowerCase()
    const found = new Highlight()
    const here = new Highlight()
    const root = scroller.current
    if (root && wanted !== '') {
      const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      for (let node = walk.nextNode(); node && found.size + here.size < MOST; node = walk.nextNode()) mark(node as globalThis.Text, wanted, found, here)
    }
    CSS.highlights.set('found', found)
    CSS.highlights.set('found-here', here)
    const first = [...here][0]
    const what = `${chosen} ${wanted}`
    let timer: ReturnType<typeof setTimeout> | undefined
    if (root && first instanceof Range && revealed.current !== what) {
      timer = setTimeout(() => {
        revealed.current = what
        reveal(first, root)
      }, SETTLE_MS)
    }
    return () => {
      clearTimeout(timer)
      CSS.highlights.delete('found')
      CSS.highlights.delete('found-here')
    }
  })
}

function mark(node: globalThis.Text, wanted: string, found: Highlight, here: Highlight): void {
  const words = node.data.toLowerCase()
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + wanted.length)) {
    const range = new Range()
    range.setStart(node, at)
    range.setEnd(node, at + wanted.length)
    const chosen = node.parentElement?.closest('[data-chosen]') !== null
    ;(chosen ? here : found).add(range)
  }
}

/** Scrolls to a place inside a long row, and inside a block of code that scrolls by itself. */
function reveal(range: Range, scroller: HTMLElement): void {
  const block = range.startContainer.parentElement?.closest('pre')
  if (block) bring(range, block)
  bring(range, scroller)
}

function bring(range: Range, box: HTMLElement): void {
  const at = range.getBoundingClientRect()
  const frame = box.getBoundingClientRect()
  const margin = 40
  if (at.top < frame.top + margin || at.bottom > frame.bottom - margin) box.scrollTop += at.top - frame.top - frame.height / 2
}

import type { RefObject } from 'react'
import { useEffect } from 'react'

const MOST = 500

/**
 * Marks a text wherever it is drawn, without touching what React drew. Browsers without the highlight API show no
 * marks; the row that was found is still shown.
 */
export function useHighlights(root: RefObject<HTMLElement | null>, text: string): void {
  useEffect(() => {
    if (!('highlights' in CSS)) return
    const wanted = text.trim().toLowerCase()
    const found = new Highlight()
    const here = new Highlight()
    if (root.current && wanted !== '') {
      const walk = document.createTreeWalker(root.current, NodeFilter.SHOW_TEXT)
      for (let node = walk.nextNode(); node && found.size + here.size < MOST; node = walk.nextNode()) mark(node as globalThis.Text, wanted, found, here)
    }
    CSS.highlights.set('found', found)
    CSS.highlights.set('found-here', here)
    return () => {
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

import { useSyncExternalStore } from 'react'

// A media query only tells that the ratio is no longer the one asked for, so each change asks anew.
function watch(changed: () => void): () => void {
  let list: MediaQueryList
  function renew(): void {
    list = matchMedia(`(resolution: ${devicePixelRatio}dppx)`)
    list.addEventListener('change', onChange, { once: true })
  }
  function onChange(): void {
    changed()
    renew()
  }
  renew()
  return () => list.removeEventListener('change', onChange)
}

/** Pixels of the screen per px of CSS; changes with the zoom of the page and from screen to screen. */
export function usePixelRatio(): number {
  return useSyncExternalStore(watch, () => devicePixelRatio)
}

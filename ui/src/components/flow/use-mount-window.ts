import type { ReactFlowState } from '@xyflow/react'
import { useStoreApi } from '@xyflow/react'
import type { RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Size, View } from './view'
import { sightOf, windowOf } from './view'

const REST_MS = 150 // without a move: the gesture is over

function viewIn({ transform: [x, y, zoom] }: ReactFlowState): View {
  return { x, y, zoom }
}

/**
 * The heights between which nodes are mounted; keeps space, the size of the window, up to date. Listens to xyflow's store itself: a frame of
 * panning renders nothing in React. While the sheet moves, its host has data-moving, which makes it a layer of its own.
 */
export function useMountWindow(initial: View, room: Size, space: RefObject<Size>, host: RefObject<HTMLElement | null>, onSight?: (top: number, bottom: number) => void): [number, number] {
  const store = useStoreApi()
  const [range, setRange] = useState(() => windowOf(initial, room))
  const tell = useRef(onSight)
  useEffect(() => {
    tell.current = onSight
    onSight?.(...sightOf(viewIn(store.getState()), space.current))
  }, [onSight, store, space])
  useEffect(() => {
    let rest: ReturnType<typeof setTimeout> | undefined
    const moved = (): void => {
      if (rest === undefined) host.current?.setAttribute('data-moving', '')
      clearTimeout(rest)
      rest = setTimeout(() => {
        rest = undefined
        host.current?.removeAttribute('data-moving')
      }, REST_MS)
    }
    const leave = store.subscribe((now, before) => {
      if (now.transform === before.transform && now.height === before.height && now.width === before.width) return
      if (now.height > 0) space.current = { width: now.width, height: now.height }
      if (now.transform !== before.transform) moved()
      const view = viewIn(now)
      tell.current?.(...sightOf(view, space.current))
      const next = windowOf(view, space.current)
      setRange((old) => (old[0] === next[0] && old[1] === next[1] ? old : next))
    })
    return () => {
      leave()
      clearTimeout(rest)
    }
  }, [store, host, space])
  return range
}

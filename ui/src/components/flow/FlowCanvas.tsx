import { ReactFlowProvider } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import type { ComponentType, KeyboardEvent, ReactNode, Ref } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Box } from './layout'
import { Sheet } from './Sheet'
import type { Painter } from './use-sweep'
import type { Size } from './view'

export interface CanvasNode<T extends Record<string, unknown>> extends Box {
  type: string
  data: T
}

/** What a parent may do to a canvas. */
export interface CanvasHandle {
  fit: () => void
  zoom: (by: 1 | -1) => void
  reveal: (id: string, focus?: boolean) => void
  sweepTo: (y: number) => void // shows this height in the middle, in the sheet's own px, without mounting what is there
  rest: () => void // the sweep is over
}

export interface CanvasProps<T extends Record<string, unknown>> {
  label: string
  nodes: CanvasNode<T>[] // in ascending order of y, more or less
  nodeTypes: Record<string, ComponentType<{ data: never }>>
  width: number
  height: number
  start: string | undefined // node to show at first
  edges: (top: number, bottom: number) => ReactNode // what to draw below the nodes between two heights
  onKeyDown?: (event: KeyboardEvent) => void
  painter?: (el: Element) => Painter<T> // for sheets that are swept
  onSight?: (top: number, bottom: number) => void // which heights are in sight, as it changes
  ref?: Ref<CanvasHandle>
}

/** A pannable, zoomable sheet. Only what is near its window is mounted, so 5,000 nodes cost what 50 do. */
export function FlowCanvas<T extends Record<string, unknown>>(props: CanvasProps<T>) {
  const host = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<Size>()
  useLayoutEffect(() => {
    const el = host.current
    if (el) setRoom({ width: el.clientWidth, height: el.clientHeight })
  }, [])
  return (
    <div ref={host} className="relative h-full min-h-0 w-full overflow-hidden" role="group" aria-label={props.label} onKeyDown={props.onKeyDown}>
      {room && (
        <ReactFlowProvider>
          <Sheet {...props} room={room} host={host} />
        </ReactFlowProvider>
      )}
    </div>
  )
}

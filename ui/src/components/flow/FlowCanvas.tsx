import type { Node, NodeTypes, Viewport } from '@xyflow/react'
import { ReactFlow, ReactFlowProvider, useReactFlow, useStore, ViewportPortal } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import type { KeyboardEvent, ReactNode, Ref, RefObject } from 'react'
import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Box } from './layout'
import { ZoomButtons } from './ZoomButtons'

export const MIN_ZOOM = 0.25
const MAX_ZOOM = 1.6
const STEP = 400 // px by which the window of mounted nodes moves
const MARGIN = 24
const LEAST_START_ZOOM = 0.75 // below that, text is for eagles

export interface CanvasNode<T extends Record<string, unknown>> extends Box {
  type: string
  data: T
}

/** What a parent may do to a canvas. */
export interface CanvasHandle {
  fit: () => void
  reveal: (id: string, focus?: boolean) => void
  scrollTo: (y: number) => void // the middle, in the canvas's own px
}

interface Props<T extends Record<string, unknown>> {
  label: string
  nodes: CanvasNode<T>[] // in ascending order of y, more or less
  nodeTypes: NodeTypes
  width: number
  height: number
  start: string | undefined // node to show at first
  edges: (top: number, bottom: number) => ReactNode // what to draw below the nodes between two heights
  onKeyDown?: (event: KeyboardEvent) => void
  onWindow?: (top: number, bottom: number) => void // what is in sight
  ref?: Ref<CanvasHandle>
}

/** A pannable, zoomable sheet. Only what is near its window is mounted, so 5,000 nodes cost what 50 do. */
export function FlowCanvas<T extends Record<string, unknown>>(props: Props<T>) {
  const host = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<{ width: number; height: number }>()
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

interface Room {
  width: number
  height: number
}

function roomOf(host: RefObject<HTMLElement | null>): Room {
  return { width: host.current?.clientWidth ?? 0, height: host.current?.clientHeight ?? 0 }
}

/** The view that shows a sheet from its top, as wide as it fits and never larger than life. */
function widthView(sheet: Room, room: Room): Viewport {
  const zoom = Math.max(Math.min(1, (room.width - 2 * MARGIN) / Math.max(1, sheet.width)), LEAST_START_ZOOM)
  return { zoom, x: Math.max(MARGIN, (room.width - sheet.width * zoom) / 2), y: MARGIN }
}

function shownAt(view: Viewport, box: Box, room: Room): Viewport {
  const inset = MARGIN
  const shift = (at: number, length: number, space: number): number => {
    if (at < inset) return inset - at
    if (at + length > space - inset) return Math.max(space - inset - (at + length), inset - at)
    return 0
  }
  const dx = shift(box.x * view.zoom + view.x, Math.min(box.width * view.zoom, room.width), room.width)
  const dy = shift(box.y * view.zoom + view.y, box.height * view.zoom, room.height)
  return { zoom: view.zoom, x: view.x + dx, y: view.y + dy }
}

function Sheet<T extends Record<string, unknown>>({ nodes, nodeTypes, width, height, start, edges, onWindow, ref, room, host }: Props<T> & { room: Room; host: RefObject<HTMLDivElement | null> }) {
  const flow = useReactFlow()
  const [initial] = useState(() => {
    const view = widthView({ width, height }, room)
    const box = nodes.find((n) => n.id === start)
    return box ? shownAt(view, box, room) : view
  })
  const latest = useRef({ nodes, width, height })
  useEffect(() => {
    latest.current = { nodes, width, height }
  })

  const move = useCallback(
    (view: Viewport) => {
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches
      void flow.setViewport(view, { duration: still ? 0 : 140 })
    },
    [flow],
  )
  const fit = useCallback(() => {
    const at = latest.current
    const space = roomOf(host)
    const zoom = Math.min(1, (space.width - 2 * MARGIN) / Math.max(1, at.width), (space.height - 2 * MARGIN) / Math.max(1, at.height))
    if (zoom >= MIN_ZOOM) move({ zoom, x: (space.width - at.width * zoom) / 2, y: Math.max(MARGIN, (space.height - at.height * zoom) / 2) })
    else move({ ...widthView(at, space), y: flow.getViewport().y > 0 ? MARGIN : flow.getViewport().y })
  }, [flow, move, host])
  useImperativeHandle(
    ref,
    () => ({
      fit,
      reveal: (id, focus = false) => {
        const box = latest.current.nodes.find((n) => n.id === id)
        if (!box) return
        const view = flow.getViewport()
        const next = shownAt(view, box, roomOf(host))
        if (next.x !== view.x || next.y !== view.y) move(next)
        if (focus) focusNode(host.current, id)
      },
      scrollTo: (y) => {
        const view = flow.getViewport()
        void flow.setViewport({ ...view, y: roomOf(host).height / 2 - y * view.zoom })
      },
    }),
    [fit, flow, move, host],
  )

  const [top, bottom] = useWindow(initial, room)
  useSight(onWindow)
  const mounted = useMemo(
    () => nodes.filter((n) => n.y < bottom && n.y + n.height > top).map((n) => toNode(n)),
    [nodes, top, bottom],
  )
  return (
    <ReactFlow
      nodes={mounted}
      edges={noEdges}
      nodeTypes={nodeTypes}
      defaultViewport={initial}
      minZoom={MIN_ZOOM}
      maxZoom={MAX_ZOOM}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      elementsSelectable={false}
      panOnScroll
      zoomOnDoubleClick={false}
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      panActivationKeyCode={null}
      zoomActivationKeyCode={zoomKeys}
      disableKeyboardA11y
      proOptions={{ hideAttribution: true }}
      translateExtent={[
        [-room.width, -room.height],
        [width + room.width, height + room.height],
      ]}
    >
      <ViewportPortal>
        <svg aria-hidden className="pointer-events-none absolute top-0 left-0 -z-10 overflow-visible" width={1} height={1}>
          {edges(top, bottom)}
        </svg>
      </ViewportPortal>
      <ZoomButtons onFit={fit} />
    </ReactFlow>
  )
}

const noEdges: never[] = []
const zoomKeys = ['Meta', 'Control']

/** Size and handles are given, so that xyflow measures nothing. */
function toNode<T extends Record<string, unknown>>(n: CanvasNode<T>): Node<T> {
  return { id: n.id, type: n.type, data: n.data, position: { x: n.x, y: n.y }, width: n.width, height: n.height, measured: { width: n.width, height: n.height }, handles: [] }
}

/** The heights between which nodes are mounted, in steps, so that panning re-renders now and then and not all the time. */
function useWindow(initial: Viewport, room: Room): [number, number] {
  const first = useStore((s) => Math.floor((s.height > 0 ? -s.transform[1] / s.transform[2] : -initial.y / initial.zoom) / STEP) - 1)
  const last = useStore((s) => {
    const [, y, zoom] = s.height > 0 ? s.transform : [0, initial.y, initial.zoom]
    return Math.ceil((-y + (s.height || room.height)) / zoom / STEP) + 1
  })
  return [first * STEP, last * STEP]
}

function useSight(onWindow: ((top: number, bottom: number) => void) | undefined): void {
  const y = useStore((s) => (onWindow ? s.transform[1] : 0))
  const zoom = useStore((s) => (onWindow ? s.transform[2] : 1))
  const height = useStore((s) => (onWindow ? s.height : 0))
  useEffect(() => {
    if (height > 0) onWindow?.(-y / zoom, (-y + height) / zoom)
  }, [onWindow, y, zoom, height])
}

/** Focuses a node as soon as it is mounted, which takes a frame or two after a jump. */
function focusNode(host: HTMLElement | null, id: string, tries = 10): void {
  const el = host?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)
  if (el) el.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusNode(host, id, tries - 1))
}

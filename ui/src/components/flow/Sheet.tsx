import type { CoordinateExtent } from '@xyflow/react'
import { ReactFlow, useReactFlow, ViewportPortal } from '@xyflow/react'
import type { ComponentType, RefObject } from 'react'
import { memo, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { CanvasNode, CanvasProps } from './FlowCanvas'
import { useMountWindow } from './use-mount-window'
import { useSweep } from './use-sweep'
import type { Size, View } from './view'
import { MAX_ZOOM, MIN_ZOOM, fitView, viewOf, widthView } from './view'
import { ZoomButtons } from './ZoomButtons'

type Props<T extends Record<string, unknown>> = CanvasProps<T> & { room: Size; host: RefObject<HTMLDivElement | null> }

const MOVE_MS = 140

/** The sheet itself: xyflow moves it, only the nodes near its window are given to it. */
export function Sheet<T extends Record<string, unknown>>({ nodes, nodeTypes, width, height, start, edges, painter, onSight, ref, room, host }: Props<T>) {
  const flow = useReactFlow()
  const [initial] = useState(() => {
    const view = widthView({ width, height }, room)
    const box = nodes.find((n) => n.id === start)
    return box ? viewOf(box, view, room) : view
  })
  const latest = useRef({ nodes, width, height })
  useEffect(() => {
    latest.current = { nodes, width, height }
  })
  const space = useRef(room)
  const [top, bottom] = useMountWindow(initial, room, space, host, onSight)
  const move = useCallback((view: View) => void flow.setViewport(view, { duration: still() ? 0 : MOVE_MS }), [flow])
  const fit = useCallback(() => move(fitView(latest.current, space.current, flow.getViewport())), [flow, move, space])
  const ghost = useRef<HTMLCanvasElement>(null)
  const sweeper = useSweep({ canvas: ghost, nodes: () => latest.current.nodes, painter, space, view: flow.getViewport, land: (view) => void flow.setViewport(view), onSight })
  useImperativeHandle(
    ref,
    () => ({
      fit,
      zoom: (by) => void (by > 0 ? flow.zoomIn() : flow.zoomOut()),
      reveal: (id, focus = false) => {
        const box = latest.current.nodes.find((n) => n.id === id)
        if (!box) return
        const view = flow.getViewport()
        const next = viewOf(box, view, space.current)
        if (next.x !== view.x || next.y !== view.y) move(next)
        if (focus) focusNode(host.current, id)
      },
      sweepTo: sweeper.step,
      rest: sweeper.rest,
    }),
    [fit, flow, move, space, host, sweeper],
  )
  const mounted = useMemo(() => nodes.filter((n) => n.y < bottom && n.y + n.height > top), [nodes, top, bottom])
  const extent = useMemo<CoordinateExtent>(() => [[-room.width, -room.height], [width + room.width, height + room.height]], [room, width, height])
  return (
    <ReactFlow
      nodes={none}
      edges={none}
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
      proOptions={noAttribution}
      translateExtent={extent}
    >
      <ViewportPortal>
        <svg aria-hidden className="pointer-events-none absolute top-0 left-0 -z-10 overflow-visible" width={1} height={1}>
          {edges(top, bottom)}
        </svg>
        {mounted.map((node) => (
          <Placed key={node.id} node={node} type={nodeTypes[node.type]} />
        ))}
      </ViewportPortal>
      {painter && <canvas ref={ghost} aria-hidden hidden className="pointer-events-none absolute inset-0 z-[4] size-full bg-page" />}
      <ZoomButtons onFit={fit} />
    </ReactFlow>
  )
}

/**
 * Nodes are drawn here and not by xyflow: what it puts around each (a wrapper, an observer, a dozen handlers) costs more
 * than most nodes do, and nothing of it is used.
 */
const Placed = memo(function Placed({ node, type: Type }: { node: CanvasNode<Record<string, unknown>>; type: ComponentType<{ data: never }> | undefined }) {
  return (
    <div className="absolute top-0 left-0 contain-layout" style={{ width: node.width, height: node.height, transform: `translate(${node.x}px, ${node.y}px)` }}>
      {Type && <Type data={node.data as never} />}
    </div>
  )
})

// xyflow compares its props by identity.
const none: never[] = []
const zoomKeys = ['Meta', 'Control']
const noAttribution = { hideAttribution: true }

function still(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Focuses a node as soon as it is mounted, which takes a frame or two after a jump. */
function focusNode(host: HTMLElement | null, id: string, tries = 10): void {
  const el = host?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)
  if (el) el.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusNode(host, id, tries - 1))
}

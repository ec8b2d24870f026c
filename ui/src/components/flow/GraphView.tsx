import type { KeyboardEvent, Ref } from 'react'
import { useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { FlowGraph, FlowNode } from '@/api/flow'
import type { FlagKind } from '@/api/types'
import { Button } from '@/components/ui/button'
import { useMedia } from '@/hooks/use-media'
import { Cell } from '@/lib/cell'
import { Edges } from './Edges'
import type { CanvasHandle, CanvasNode } from './FlowCanvas'
import { FlowCanvas } from './FlowCanvas'
import type { Layout, OpenStack } from './layout'
import { layoutTurn } from './layout'
import { dark, LightsContext } from './lights'
import type { NodeActions, NodeData } from './nodes'
import { NodeActionsContext, nodeTypes, typeOf } from './nodes'
import { treeOf } from './tree'
import type { Direction } from './walk'
import { pathOf, walk } from './walk'

export type GraphHandle = Pick<CanvasHandle, 'fit' | 'zoom'>

interface Props {
  label: string
  graph: FlowGraph
  hooks: boolean
  flag: FlagKind | undefined
  pinned: string | undefined
  onPin: (id: string | undefined) => void
  ref?: Ref<GraphHandle>
}

const arrows: Record<string, Direction> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' }

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}

/** What stands on the sheet for a node, which may be in a loop that is drawn once or in a folded lane. */
function standIn(layout: Layout, id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  return layout.nodes.find((n) => n.id === id || n.stack?.members.includes(id) || (n.folded > 0 && n.lanes.some((lane) => id.startsWith(`${lane}/`))))?.id
}

/** A turn as a graph: prompt, responses, their calls beside them, sub-agents in lanes. */
export function GraphView({ label, graph, hooks, flag, pinned, onPin, ref }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [lanes, setLanes] = useState<ReadonlySet<string>>(new Set())
  const narrow = useMedia('(max-width: 639px)')
  const [settled] = useState(() => (graph.nodes[0]?.status === 'pending' ? treeOf(graph).items.length : Infinity))
  const layout = useMemo(() => layoutTurn(graph, { hooks, open, toggled: lanes, narrow, settled }), [graph, hooks, open, lanes, narrow, settled])
  const [lights] = useState(() => new Cell(dark))
  const canvas = useRef<CanvasHandle>(null)
  // The canvas comes a frame later than this.
  useImperativeHandle(ref, () => ({ fit: () => canvas.current?.fit(), zoom: (by) => canvas.current?.zoom(by) }), [])
  const at = standIn(layout, pinned)

  const light = useCallback((id: string | undefined) => lights.set(id === undefined ? dark : pathOf(layout, id)), [lights, layout])
  useEffect(() => light(at), [light, at])
  useEffect(() => {
    if (at !== undefined) canvas.current?.reveal(at)
  }, [at])

  const actions = useMemo<NodeActions>(
    () => ({
      pin: (id) => onPin(id === at ? undefined : id),
      hover: (id) => light(id ?? at),
      openStack: (id) => setOpen((old) => toggled(old, id)),
      toggleLanes: (id) => setLanes((old) => toggled(old, id)),
    }),
    [onPin, light, at],
  )
  function onKeyDown(event: KeyboardEvent): void {
    const direction = arrows[event.key]
    if (!direction || event.altKey || event.ctrlKey || event.metaKey) return
    const to = walk(layout, at, direction)
    event.preventDefault()
    if (to === undefined) return
    onPin(to)
    canvas.current?.reveal(to, true)
  }
  const nodes = useMemo(() => canvasNodes(layout, at, flag), [layout, at, flag])
  return (
    <LightsContext value={lights}>
      <NodeActionsContext value={actions}>
        <FlowCanvas
          ref={canvas}
          label={label}
          nodes={nodes}
          nodeTypes={types}
          width={layout.width}
          height={layout.height}
          start={at}
          onKeyDown={onKeyDown}
          edges={(top, bottom) => <Edges layout={layout} top={top} bottom={bottom} />}
        />
      </NodeActionsContext>
    </LightsContext>
  )
}

function matches(node: FlowNode, flag: FlagKind | undefined): boolean {
  return flag === undefined || node.flags.includes(flag)
}

type AnyData = NodeData | { stack: OpenStack }

function canvasNodes(layout: Layout, at: string | undefined, flag: FlagKind | undefined): CanvasNode<AnyData & Record<string, unknown>>[] {
  const first = layout.nodes[0]?.id
  const stacks = layout.openStacks.map((stack) => ({ id: `open:${stack.id}`, x: stack.x - 10, y: stack.y - 10, width: stack.width + 20, height: stack.height + 20, type: 'openStack', data: { stack } }))
  const nodes = layout.nodes.map((placed) => ({
    ...placed,
    type: typeOf(placed.node),
    data: {
      placed,
      pinned: placed.id === at,
      first: at === undefined && placed.id === first,
      dim: !matches(placed.node, flag),
      lanesShown: placed.folded === 0,
    },
  }))
  return [...stacks, ...nodes]
}

function OpenStackNode({ data }: { data: { stack: OpenStack } }) {
  return (
    <div style={{ width: data.stack.width + 20, height: data.stack.height + 20 }} className="pointer-events-none relative rounded-lg border border-dashed border-warn">
      <NodeActionsContext.Consumer>
        {({ openStack }) => (
          <Button size="tiny" className="nopan pointer-events-auto absolute -top-2.5 right-3 bg-warn-soft text-warn" onClick={() => openStack(data.stack.id)}>
            ×{data.stack.times} stack
          </Button>
        )}
      </NodeActionsContext.Consumer>
    </div>
  )
}

const types = { ...nodeTypes, openStack: OpenStackNode }

import type { Ref } from 'react'
import { memo, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { Ribbon } from '@/api/flow'
import type { FlagKind, Session, Turn } from '@/api/types'
import { Edges } from '@/components/flow/Edges'
import type { CanvasHandle, CanvasNode } from '@/components/flow/FlowCanvas'
import { FlowCanvas } from '@/components/flow/FlowCanvas'
import { hasFlag } from '../ribbon'
import type { MapNode } from '../turn-map'
import { agentsOf, nodeOfTurn, placeRows, rowsOf, turnsBetween } from '../turn-map'
import type { MapActions } from './MapNodes'
import { ghostOf } from './ghost'
import { MapActionsContext, mapNodeTypes } from './MapNodes'

export interface MapHandle extends Pick<CanvasHandle, 'fit' | 'zoom' | 'rest'> {
  sweepTo: (index: number) => void
}

interface Props {
  session: Session
  turns: Turn[]
  ribbon: Ribbon
  flag: FlagKind | undefined
  shown: number
  onTurn: (index: number) => void
  onAgent: (session: string) => void
  onSight: (sight: [number, number] | undefined) => void
  ref?: Ref<MapHandle>
}

/** One node per turn from the first down to the latest; quiet ones folded, sub-agents beside their turn. */
export const TurnMap = memo(function TurnMap({ session, turns, ribbon, flag, shown, onTurn, onAgent, onSight, ref }: Props) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const [settled] = useState(turns.length)
  const agents = useMemo(() => agentsOf(session.children, turns), [session.children, turns])
  const map = useMemo(
    () => placeRows(rowsOf(turns, ribbon, new Set(agents.keys()), { flag, expanded, settled }), agents),
    [turns, ribbon, agents, flag, expanded, settled],
  )
  const canvas = useRef<CanvasHandle>(null)
  const at = nodeOfTurn(map, shown)?.id
  useEffect(() => {
    if (at !== undefined) canvas.current?.reveal(at)
  }, [at])

  const sight = useCallback((top: number, bottom: number) => onSight(turnsBetween(map, top, bottom)), [map, onSight])
  useImperativeHandle(
    ref,
    () => ({
      fit: () => canvas.current?.fit(),
      zoom: (by) => canvas.current?.zoom(by),
      rest: () => canvas.current?.rest(),
      sweepTo: (index) => {
        const node = nodeOfTurn(map, index)
        if (node) canvas.current?.sweepTo(node.y + node.height * within(node, index))
      },
    }),
    [map],
  )
  const actions = useMemo<MapActions>(
    () => ({
      select: onTurn,
      toggle: (id) =>
        setExpanded((old) => {
          const next = new Set(old)
          if (!next.delete(id)) next.add(id)
          return next
        }),
      openAgent: onAgent,
    }),
    [onTurn, onAgent],
  )
  const nodes = useMemo(() => map.nodes.map((node) => canvasNode(node, { ribbon, flag, shown, expanded })), [map, ribbon, flag, shown, expanded])
  return (
    <MapActionsContext value={actions}>
      <FlowCanvas
        ref={canvas}
        label="Map of turns"
        nodes={nodes}
        nodeTypes={mapNodeTypes}
        width={map.width}
        height={map.height}
        start={at}
        edges={(top, bottom) => <Edges layout={map} top={top} bottom={bottom} />}
        painter={ghostOf}
        onSight={sight}
      />
    </MapActionsContext>
  )
})

/** How far down in its node a turn stands, 0…1. */
function within(node: MapNode, index: number): number {
  if (node.kind !== 'quiet') return 0.5
  return (index - node.turns[0]!.index + 0.5) / node.turns.length
}

interface Look {
  ribbon: Ribbon
  flag: FlagKind | undefined
  shown: number
  expanded: ReadonlySet<string>
}

function canvasNode(node: MapNode, { ribbon, flag, shown, expanded }: Look): CanvasNode<Record<string, unknown>> {
  const { id, x, y, width, height } = node
  const box = { id, x, y, width, height, type: node.kind }
  switch (node.kind) {
    case 'turn': {
      const dim = flag !== undefined && !hasFlag(ribbon, ribbon.turns[node.turn.index - ribbon.from]?.flags ?? 0, flag)
      return { ...box, data: { turn: node.turn, ribbon, selected: node.turn.index === shown, dim } }
    }
    case 'quiet': {
      const here = node.turns[0]!.index <= shown && shown <= node.turns.at(-1)!.index
      return { ...box, data: { id, turns: node.turns, open: expanded.has(id), selected: here ? shown : undefined, word: flag ? 'other' : 'quiet' } }
    }
    case 'agent':
      return { ...box, data: { session: node.session } }
    case 'more':
      return { ...box, data: { count: node.count, turn: node.turn } }
  }
}

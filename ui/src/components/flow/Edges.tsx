import { memo, useMemo } from 'react'
import { cn } from '@/lib/cn'
import type { Box, PlacedEdge } from './layout'
import { useLitEdges } from './lights'
import { edgePath } from './path'

interface Drawing {
  nodes: Box[]
  edges: PlacedEdge[]
}

interface Way {
  edge: PlacedEdge
  d: string
  top: number
  bottom: number
}

const tones: Record<PlacedEdge['kind'], string> = {
  next: 'stroke-line-strong',
  requested_by: 'stroke-line-strong',
  parallel: 'stroke-line-strong',
  fork: 'stroke-cat-agent',
  join: 'stroke-cat-agent',
}

/** All edges between two heights, drawn in one SVG: an element of its own per edge costs more than what it shows. */
export const Edges = memo(function Edges({ layout, top, bottom }: { layout: Drawing; top: number; bottom: number }) {
  const lit = useLitEdges()
  const ways = useMemo(() => waysOf(layout), [layout])
  return ways
    .filter((w) => w.top < bottom && w.bottom > top)
    .map(({ edge, d }) => (
      <path
        key={edge.id}
        d={d}
        fill="none"
        strokeWidth={lit.has(edge.id) ? 2 : 1}
        strokeDasharray={edge.dashed ? '3 3' : edge.animated ? '5 4' : undefined}
        className={cn(lit.has(edge.id) ? 'stroke-accent' : edge.animated ? 'stroke-running' : tones[edge.kind], edge.animated && 'flow-moving')}
      />
    ))
})

/** What stands in the columns that a sub-agent's edge has to pass. */
function between(nodes: Box[], a: Box, b: Box): Box[] {
  return nodes.filter((n) => n.x >= a.x + a.width && n.x + n.width <= b.x)
}

function waysOf(layout: Drawing): Way[] {
  const boxes = new Map<string, Box>(layout.nodes.map((n) => [n.id, n]))
  return layout.edges.flatMap((edge) => {
    const a = boxes.get(edge.source)
    const b = boxes.get(edge.target)
    if (!a || !b) return []
    return [{ edge, d: edgePath(edge.kind, a, b, edge.kind === 'fork' ? between(layout.nodes, a, b) : []), top: Math.min(a.y, b.y), bottom: Math.max(a.y + a.height, b.y + b.height) }]
  })
}

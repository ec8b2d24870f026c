import type { FlowGraph } from '@/api/flow'
import type { PlacedEdge, PlacedNode } from './layout'

/**
 * The edges between what is drawn. What is not drawn is skipped or stood for by another; of the calls of one step only
 * the lowest leads on, since the dashed line joins the others to it.
 */
export function drawnEdges(graph: Pick<FlowGraph, 'nodes' | 'edges'>, placed: PlacedNode[], shownAs: Map<string, string>): PlacedEdge[] {
  const box = new Map(placed.map((n) => [n.id, n]))
  const followers = new Map<string, string[]>()
  for (const e of graph.edges) if (e.kind === 'next') followers.set(e.source, [...(followers.get(e.source) ?? []), e.target])
  const ends = (id: string): string[] => {
    const shown = shownAs.get(id)
    return shown === undefined ? (followers.get(id) ?? []).flatMap(ends) : [shown]
  }
  const drawn = new Map<string, PlacedEdge>()
  const lowest = new Map<string, PlacedEdge>()
  for (const e of graph.edges) {
    const source = box.get(shownAs.get(e.source) ?? '')
    if (!source) continue
    for (const id of e.kind === 'next' ? ends(e.target) : [shownAs.get(e.target) ?? '']) {
      const target = box.get(id)
      if (!target || target === source) continue
      const across = target.node.lane !== source.node.lane
      // From the end of a loop back to its beginning: the stack says so already.
      if (!across && e.kind === 'next' && target.y <= source.y) continue
      const kind = across ? (e.kind === 'next' ? 'join' : 'fork') : e.kind
      const edge: PlacedEdge = { id: `${kind}:${source.id}>${target.id}`, source: source.id, target: target.id, kind, animated: e.animated ?? false, dashed: e.dashed ?? false }
      if (kind === 'next' || kind === 'join') {
        const key = `${source.node.lane}>${target.id}`
        const rival = lowest.get(key)
        if (rival && (box.get(rival.source)?.y ?? 0) >= source.y) continue
        if (rival) drawn.delete(rival.id)
        lowest.set(key, edge)
      }
      drawn.set(edge.id, edge)
    }
  }
  return [...drawn.values()]
}

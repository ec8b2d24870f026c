import type { Layout, PlacedEdge, PlacedNode } from './layout'
import { idOfTarget } from './words'

export type Direction = 'up' | 'down' | 'left' | 'right'

/** Where an arrow key leads from a node: along an edge where there is one, else to what is next in that direction. */
export function walk(layout: Layout, from: string | undefined, direction: Direction): string | undefined {
  const nodes = new Map(layout.nodes.map((n) => [n.id, n]))
  const here = from === undefined ? undefined : nodes.get(from)
  if (!here) return layout.nodes[0]?.id
  const ahead = (n: PlacedNode): boolean => {
    if (direction === 'up') return n.y < here.y
    if (direction === 'down') return n.y > here.y
    return direction === 'left' ? n.x < here.x : n.x > here.x
  }
  const upright = direction === 'up' || direction === 'down'
  const edges = layout.edges.filter((e) => e.source === here.id || e.target === here.id)
  const ends = (list: PlacedEdge[]): PlacedNode[] => list.flatMap((e) => nodes.get(e.source === here.id ? e.target : e.source) ?? []).filter(ahead)
  const choices = [
    ends(edges).filter((n) => inLine(n, here, upright)),
    // Down from a response leads to what follows it and not to the second of its calls.
    ends(upright ? edges.filter((e) => e.kind !== 'requested_by' && e.kind !== 'fork') : edges),
    layout.nodes.filter((n) => ahead(n) && inLine(n, here, upright)),
  ]
  return nearest(choices.find((nodes) => nodes.length > 0) ?? [], here, upright)?.id
}

function inLine(n: PlacedNode, here: PlacedNode, upright: boolean): boolean {
  if (upright) return n.x < here.x + here.width && n.x + n.width > here.x
  return n.y < here.y + here.height && n.y + n.height > here.y
}

function nearest(nodes: PlacedNode[], here: PlacedNode, upright: boolean): PlacedNode | undefined {
  // The way across counts double, so that ↓ stays in its column where it can.
  const distance = (n: PlacedNode): number => Math.abs(n.y - here.y) * (upright ? 1 : 2) + Math.abs(n.x - here.x) * (upright ? 2 : 1)
  return nodes.reduce<PlacedNode | undefined>((best, n) => (!best || distance(n) < distance(best) ? n : best), undefined)
}

/**
 * What belongs to a node: the nodes that led to it, up to the prompt; what it asked for; and what its flags rest on.
 */
export function pathOf(layout: Layout, id: string): { nodes: Set<string>; edges: Set<string> } {
  const incoming = group(layout.edges, (e) => e.target)
  const outgoing = group(layout.edges, (e) => e.source)
  const nodes = new Set([id])
  const edges = new Set<string>()
  for (let queue = [id]; queue.length > 0; ) {
    const at = queue.pop()!
    const asked = (incoming.get(at) ?? []).filter((e) => e.kind !== 'parallel')
    const up = asked.some((e) => e.kind === 'requested_by' || e.kind === 'fork') ? asked.filter((e) => e.kind !== 'next' && e.kind !== 'join') : asked
    for (const e of up) {
      edges.add(e.id)
      if (!nodes.has(e.source)) queue.push(e.source)
      nodes.add(e.source)
    }
  }
  for (const e of outgoing.get(id) ?? []) {
    if (e.kind === 'parallel') continue
    edges.add(e.id)
    nodes.add(e.target)
  }
  for (const other of evidenceOf(layout, id)) nodes.add(other)
  return { nodes, edges }
}

/** The drawn nodes that the flags of a node rest on. */
export function evidenceOf(layout: Layout, id: string): string[] {
  const here = layout.nodes.find((n) => n.id === id)
  if (!here) return []
  const wanted = new Set(here.node.flagDetails.flatMap((f) => f.evidence.map((e) => idOfTarget(e.at, here.node.lane))))
  return layout.nodes.filter((n) => wanted.has(n.id) || n.stack?.members.some((m) => wanted.has(m))).map((n) => n.id)
}

function group(edges: PlacedEdge[], key: (e: PlacedEdge) => string): Map<string, PlacedEdge[]> {
  const groups = new Map<string, PlacedEdge[]>()
  for (const e of edges) {
    const list = groups.get(key(e))
    if (list) list.push(e)
    else groups.set(key(e), [e])
  }
  return groups
}

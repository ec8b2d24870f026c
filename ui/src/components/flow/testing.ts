import type { FlowEdge, FlowGraph, FlowNode } from '@/api/flow'

const nothing = { value: 0, quality: 'unknown' } as const

export function node(id: string, fields: Partial<FlowNode> = {}): FlowNode {
  const own = id.slice(id.lastIndexOf('/') + 1)
  const kind = ({ t: 'prompt', r: 'assistant', c: 'tool', m: 'hook' } as const)[own[0] as 't' | 'r' | 'c' | 'm']
  return {
    id,
    kind,
    rootTurn: 0,
    turn: 0,
    seq: Number(own.slice(1)),
    lane: id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : '',
    label: kind === 'tool' ? 'Read' : kind,
    status: 'ok',
    state: 'ok',
    preview: '',
    startedAt: 0,
    endedAt: 0,
    durationMs: nothing,
    flags: [],
    flagDetails: [],
    ref: { offset: 0, length: 0, line: 0 },
    ...fields,
  }
}

export function edge(kind: FlowEdge['kind'], source: string, target: string): FlowEdge {
  return { id: `${kind}:${source}>${target}`, source, target, kind, lane: '', rootTurn: 0, dashed: kind === 'parallel' }
}

/** A prompt, then rounds of one response and one call each, with the calls' arguments as given; an answer at the end. */
export function rounds(previews: string[]): FlowGraph {
  const nodes = [node('t0')]
  const edges: FlowEdge[] = []
  let tail = 't0'
  previews.forEach((preview, i) => {
    nodes.push(node(`r${i}`), node(`c${i}`, { preview }))
    edges.push(edge('next', tail, `r${i}`), edge('requested_by', `r${i}`, `c${i}`))
    tail = `c${i}`
  })
  const last = `r${previews.length}`
  nodes.push(node(last))
  edges.push(edge('next', tail, last))
  return { nodes, edges, turnCount: 1, from: 0 }
}

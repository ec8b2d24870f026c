import type { FlowGraph, FlowNode } from '@/api/flow'

/** A call with what hangs on it. */
export interface CallItem {
  node: FlowNode
  hooks: FlowNode[]
  inner: CallItem[]
  lanes: Lane[]
}

/** A step of a lane: a prompt, a response, a marker, or a call that no response asked for. */
export interface Item {
  node: FlowNode
  calls: CallItem[] // of a response; of a lone call itself
  lanes: Lane[] // of a prompt: sub-agents whose call the log does not name
}

/** A session's own line of steps: the session itself or one of its sub-agents. */
export interface Lane {
  id: string // "" = the session itself
  items: Item[]
  joins: string[] // nodes outside it that follow its end
}

/** A hook that says nothing but that it ran; hundreds of these would bury the rest. */
export function isQuietHook(node: FlowNode): boolean {
  return node.kind === 'hook' && node.status === 'ok' && node.flags.length === 0
}

/** Whether a node is part of the line of steps rather than hanging on a step. */
function isStep(node: FlowNode, parent: FlowNode | undefined): boolean {
  return parent === undefined || parent.lane !== node.lane
}

/** Orders a turn's nodes as steps, their calls and the lanes that fork from them. */
export function treeOf(graph: Pick<FlowGraph, 'nodes' | 'edges'>): Lane {
  const byId = new Map(graph.nodes.map((n) => [n.id, n]))
  const parents = new Map<string, FlowNode>()
  for (const e of graph.edges) {
    const source = byId.get(e.source)
    if (e.kind === 'requested_by' && source) parents.set(e.target, source)
  }
  const lanes = new Map<string, Lane>()
  const items = new Map<string, Item>()
  const calls = new Map<string, CallItem>()
  const main = laneOf(lanes, '')
  for (const node of graph.nodes) {
    const parent = parents.get(node.id)
    if (isStep(node, parent)) {
      const fresh = !lanes.has(node.lane)
      const lane = laneOf(lanes, node.lane)
      const item: Item = { node, calls: [], lanes: [] }
      items.set(node.id, item)
      lane.items.push(item)
      if (node.kind === 'tool') item.calls.push(callOf(calls, node))
      if (fresh) (calls.get(parent?.id ?? '')?.lanes ?? items.get(parent?.id ?? '')?.lanes ?? main.items[0]?.lanes ?? []).push(lane)
    } else if (parent?.kind === 'tool') {
      const call = callOf(calls, parent)
      if (node.kind === 'tool') call.inner.push(callOf(calls, node))
      else call.hooks.push(node)
    } else if (parent) {
      items.get(parent.id)?.calls.push(callOf(calls, node))
    }
  }
  for (const e of graph.edges) {
    const source = byId.get(e.source)
    if (e.kind === 'next' && source && source.lane !== '' && byId.get(e.target)?.lane !== source.lane) lanes.get(source.lane)?.joins.push(e.target)
  }
  return main
}

function laneOf(lanes: Map<string, Lane>, id: string): Lane {
  const lane = lanes.get(id) ?? { id, items: [], joins: [] }
  lanes.set(id, lane)
  return lane
}

function callOf(calls: Map<string, CallItem>, node: FlowNode): CallItem {
  const call = calls.get(node.id) ?? { node, hooks: [], inner: [], lanes: [] }
  calls.set(node.id, call)
  return call
}

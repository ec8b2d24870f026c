import type { FlowEdge, FlowGraph, FlowNode } from '@/api/flow'
import { drawnEdges } from './drawn-edges'
import type { Stack } from './stack'
import { stacksOf } from './stack'
import type { CallItem, Item, Lane } from './tree'
import { isQuietHook, treeOf } from './tree'

/** Sizes in px at zoom 1; fixed, so that nothing that happens to a node moves another. */
export const size = {
  step: { width: 236, height: 64 },
  call: { width: 280, height: 44 },
  marker: { width: 236, height: 28 },
  hook: { width: 240, height: 24 },
} as const
const GAP = 16 // between steps
const CLOSE = 8 // between calls of one step
const INDENT = 20
const CALL_X = size.step.width + 44
const MAIN_WIDTH = CALL_X + size.call.width + INDENT
const LANE_WIDTH = INDENT + size.call.width + INDENT
const LANE_GAP = 36
const FOLD_LANES_ABOVE = 200 // nodes

export interface Box {
  id: string
  x: number
  y: number
  width: number
  height: number
}

export interface PlacedNode extends Box {
  node: FlowNode
  stack?: { id: string; times: number; period: number; members: string[] } // what it stands for
  hooks: number // quiet ones that are not drawn
  folded: number // nodes of its lanes that are not drawn
  lanes: string[] // the lanes that fork from it
}

export interface PlacedEdge {
  id: string
  source: string
  target: string
  kind: FlowEdge['kind'] | 'fork' | 'join'
  animated: boolean
  dashed: boolean
}

/** A loop that was taken apart, so that it can be put together again. */
export interface OpenStack extends Box {
  times: number
}

export interface Layout {
  nodes: PlacedNode[]
  edges: PlacedEdge[]
  openStacks: OpenStack[]
  width: number
  height: number
}

export interface LayoutOptions {
  hooks: boolean // draw also hooks that went well
  open: ReadonlySet<string> // first nodes of the loops that are taken apart
  toggled: ReadonlySet<string> // calls whose lanes are not as they are by default
  narrow: boolean // calls below their step instead of beside it
  settled: number // steps of the session itself that were there when the drawing began
}

export const defaultOptions: LayoutOptions = { hooks: false, open: new Set(), toggled: new Set(), narrow: false, settled: Infinity }

/** Places a turn in one pass: steps downwards on the left, their calls beside them, each sub-agent in a column of its own. */
export function layoutTurn(graph: Pick<FlowGraph, 'nodes' | 'edges'>, options: LayoutOptions = defaultOptions): Layout {
  const placer = new Placer(graph, options)
  const main = treeOf(graph)
  placer.lane(main, 0, 0, options.narrow ? INDENT : CALL_X)
  return placer.finish()
}

interface Column {
  freeAt: number // y from which it can be used again; Infinity = in use
}

class Placer {
  private readonly nodes: PlacedNode[] = []
  private readonly openStacks: OpenStack[] = []
  private readonly shownAs = new Map<string, string>() // node → what stands for it
  private readonly columns: Column[] = []
  private readonly joinY = new Map<string, number>() // node → lowest end of the lanes that it follows
  private readonly graph: Pick<FlowGraph, 'nodes' | 'edges'>
  private readonly options: LayoutOptions
  private readonly foldLanes: boolean

  constructor(graph: Pick<FlowGraph, 'nodes' | 'edges'>, options: LayoutOptions) {
    this.graph = graph
    this.options = options
    this.foldLanes = graph.nodes.length > FOLD_LANES_ABOVE
  }

  /** Places a lane's steps from y on and returns where it ends. */
  lane(lane: Lane, x: number, y: number, callX: number): number {
    const stacks = new Map(stacksOf(lane.items, lane.id === '' ? this.options.settled : Infinity).map((s) => [s.first, s]))
    for (let i = 0; i < lane.items.length; ) {
      const stack = stacks.get(i)
      if (stack && !this.options.open.has(lane.items[i]!.node.id)) {
        y = this.stack(lane.items, stack, x, y, callX)
        i += stack.length
      } else if (stack) {
        const top = y
        for (const item of lane.items.slice(i, i + stack.length)) y = this.item(item, x, y, callX)
        this.openStacks.push({ id: lane.items[i]!.node.id, x, y: top, width: callX + size.call.width, height: y - GAP - top, times: stack.times })
        i += stack.length
      } else {
        y = this.item(lane.items[i]!, x, y, callX)
        i += 1
      }
    }
    return y
  }

  private item(item: Item, x: number, y: number, callX: number): number {
    y = Math.max(y, this.joinY.get(item.node.id) ?? 0)
    if (isQuietHook(item.node) && !this.options.hooks) return y
    if (item.node.kind === 'tool') return this.calls(item.calls, x + callX, y) - CLOSE + GAP
    const box = item.node.kind === 'prompt' || item.node.kind === 'assistant' ? size.step : item.node.kind === 'hook' ? size.hook : size.marker
    const placed = this.put(item.node, x, y, box)
    const end = y + box.height
    this.fork(placed, item.lanes, y)
    if (item.calls.length === 0) return end + GAP
    const beside = callX > size.step.width
    return Math.max(end + CLOSE, this.calls(item.calls, x + callX, beside ? y : end + CLOSE)) - CLOSE + GAP
  }

  private calls(calls: CallItem[], x: number, y: number): number {
    for (const call of calls) {
      const placed = this.put(call.node, x, y, size.call)
      const top = y
      y += size.call.height + CLOSE
      for (const hook of call.hooks) {
        if (isQuietHook(hook) && !this.options.hooks) {
          placed.hooks += 1
          continue
        }
        this.put(hook, x + INDENT, y, size.hook)
        y += size.hook.height + CLOSE
      }
      if (call.inner.length > 0) y = this.calls(call.inner, x + INDENT, y)
      this.fork(placed, call.lanes, top)
    }
    return y
  }

  private fork(from: PlacedNode, lanes: Lane[], y: number): void {
    from.lanes = lanes.map((l) => l.id)
    if (this.foldLanes !== this.options.toggled.has(from.id)) {
      for (const lane of lanes) from.folded += this.hide(lane, from.id)
      return
    }
    for (const lane of lanes) {
      let at = this.columns.findIndex((c) => c.freeAt <= y)
      if (at < 0) at = this.columns.push({ freeAt: 0 }) - 1
      const column = this.columns[at]!
      column.freeAt = Infinity
      const end = this.lane(lane, (this.options.narrow ? LANE_WIDTH : MAIN_WIDTH) + LANE_GAP + at * (LANE_WIDTH + LANE_GAP), y, INDENT)
      // A lane that nothing follows may still grow, so nothing is put below it.
      if (lane.joins.length > 0) column.freeAt = end + GAP
      for (const id of lane.joins) this.joinY.set(id, Math.max(this.joinY.get(id) ?? 0, end))
    }
  }

  private hide(lane: Lane, as: string): number {
    let n = 0
    const hideCall = (call: CallItem): void => {
      n += 1
      this.shownAs.set(call.node.id, as)
      for (const hook of call.hooks) this.shownAs.set(hook.id, as)
      call.inner.forEach(hideCall)
      for (const inner of call.lanes) n += this.hide(inner, as)
    }
    for (const item of lane.items) {
      this.shownAs.set(item.node.id, as)
      if (item.node.kind !== 'tool' && !isQuietHook(item.node)) n += 1
      item.calls.forEach(hideCall)
      for (const inner of item.lanes) n += this.hide(inner, as)
    }
    return n
  }

  /** Places the first round of a loop for all of them. */
  private stack(items: Item[], stack: Stack, x: number, y: number, callX: number): number {
    const steps = items.slice(stack.first, stack.first + stack.length).filter((item) => !isQuietHook(item.node))
    const shown = steps.slice(0, stack.period)
    const from = this.nodes.length
    for (const item of shown) y = this.item(item, x, y, callX)
    const placed = new Map(this.nodes.slice(from).map((n) => [n.id, n]))
    const stand = (node: FlowNode, as: FlowNode): void => {
      this.shownAs.set(node.id, as.id)
      const box = placed.get(as.id)
      if (!box) return
      box.stack ??= { id: steps[0]!.node.id, times: stack.times, period: stack.period, members: [as.id] }
      if (node.id !== as.id) box.stack.members.push(node.id)
    }
    const standCalls = (calls: CallItem[], as: CallItem[]): void =>
      calls.forEach((call, k) => {
        const twin = as[k]
        if (!twin) return
        stand(call.node, twin.node)
        for (const hook of call.hooks) this.shownAs.set(hook.id, twin.node.id)
        standCalls(call.inner, twin.inner)
      })
    steps.forEach((item, k) => {
      const twin = shown[k % stack.period]!
      stand(item.node, twin.node)
      standCalls(item.calls, twin.calls)
    })
    return y
  }

  private put(node: FlowNode, x: number, y: number, box: { width: number; height: number }): PlacedNode {
    const placed: PlacedNode = { id: node.id, node, x, y, ...box, hooks: 0, folded: 0, lanes: [] }
    this.nodes.push(placed)
    this.shownAs.set(node.id, node.id)
    return placed
  }

  finish(): Layout {
    const edges = drawnEdges(this.graph, this.nodes, this.shownAs)
    const width = Math.max(0, ...this.nodes.map((n) => n.x + n.width))
    const height = Math.max(0, ...this.nodes.map((n) => n.y + n.height))
    return { nodes: this.nodes, edges, openStacks: this.openStacks, width, height }
  }
}

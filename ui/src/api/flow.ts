import type { CallStatus, Category, Flag, FlagKind, Measure, Ref, Turn } from './types'

/** What …/flow and …/ribbon answer. */
export type FlowKind = 'prompt' | 'assistant' | 'tool' | 'hook' | 'compaction' | 'plan_change' | 'model_change' | 'abort' | 'error'

export interface FlowNode {
  id: string // t3, r12, c45 or m7; in a lane <child session>/c45
  kind: FlowKind
  rootTurn: number // turn of the session shown under which it stands
  turn: number // turn of its own session
  seq: number // in its own session; a prompt's is its turn's index
  lane: string // the sub-agent's session; "" = the session itself
  label: string
  status: 'pending' | 'ok' | 'fail'
  state: string
  category?: Category
  preview: string
  result?: string
  startedAt: number // unix ms; 0 = unknown
  endedAt: number
  durationMs: Measure
  waitMs?: number
  exitCode?: number
  tokens?: Measure
  background?: boolean
  inherited?: boolean
  child?: string // the session that a call spawned
  flags: FlagKind[]
  flagDetails: Flag[]
  ref: Ref
}

export interface FlowEdge {
  id: string
  source: string
  target: string
  kind: 'next' | 'requested_by' | 'parallel'
  animated?: boolean
  dashed?: boolean
  lane: string
  rootTurn: number
}

export interface FlowGraph {
  nodes: FlowNode[]
  edges: FlowEdge[]
  turnCount: number
  from: number
}

export interface RibbonTurn {
  index: number
  status: Turn['status']
  startedAt: number
  endedAt: number
  roundTrips: number
  calls: number[] // per category
  failed: number
  flags: number // bit i = flagKinds[i]
  compactions: number
  at: number // where its calls begin
  n: number // how many they are
  inherited?: boolean
}

/** seq, category, status, ms since the turn's start (-1 = unknown), duration in ms (-1 = unknown), flags as bits, tool */
export type RibbonCall = [number, number, number, number, number, number, number]

/** From one call to another, both indexes into the calls; the third number is the kind of the flag. */
export type RibbonArc = [number, number, number]

export interface Ribbon {
  turnCount: number
  from: number
  revision: number
  categories: Category[]
  statuses: CallStatus[]
  flagKinds: FlagKind[]
  tools: string[]
  turns: RibbonTurn[]
  calls: RibbonCall[]
  arcs: RibbonArc[]
}

/**
 * A ribbon with the turns of a later answer in place of its own from there on. The answer's tools are its own list, so
 * its numbers are translated.
 */
export function mergeRibbon(old: Ribbon, fresh: Ribbon): Ribbon {
  if (fresh.turns.length === 0) return { ...old, turnCount: fresh.turnCount, revision: fresh.revision }
  const kept = old.turns.filter((t) => t.index < fresh.from)
  const last = kept.at(-1)
  const base = last ? last.at + last.n : 0
  const tools = [...old.tools]
  const known = new Map(tools.map((tool, i) => [tool, i]))
  const numbers = fresh.tools.map((tool) => {
    const found = known.get(tool)
    if (found !== undefined) return found
    known.set(tool, tools.length)
    return tools.push(tool) - 1
  })
  return {
    ...fresh,
    from: old.from,
    tools,
    turns: [...kept, ...fresh.turns.map((t) => ({ ...t, at: t.at + base }))],
    calls: [
      ...old.calls.slice(0, base),
      ...fresh.calls.map((c): RibbonCall => [c[0], c[1], c[2], c[3], c[4], c[5], numbers[c[6]] ?? c[6]]),
    ],
    arcs: [...old.arcs.filter((a) => a[0] < base && a[1] < base), ...fresh.arcs.map((a): RibbonArc => [a[0] + base, a[1] + base, a[2]])],
  }
}

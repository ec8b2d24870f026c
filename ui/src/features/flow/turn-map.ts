import type { Ribbon } from '@/api/flow'
import type { FlagKind, Session, Turn } from '@/api/types'
import type { Box, PlacedEdge } from '@/components/flow/layout'
import { hasFlag } from './ribbon'

export const card = { width: 320, height: 78 } as const
export const quietRow = { width: 320, height: 30 } as const
export const agentCard = { width: 216, height: 40 } as const
const GAP = 14
const AGENT_GAP = 8
const AGENT_X = card.width + 44
const LEAST_RUN = 3
const MOST_AGENTS = 6 // cards beside one turn; the rest is a number

export type MapRow =
  | { kind: 'turn'; id: string; turn: Turn }
  | { kind: 'quiet'; id: string; turns: Turn[] }

interface CollapseOptions {
  flag: FlagKind | undefined
  expanded: ReadonlySet<string>
  settled: number // turns from this index on came while somebody looks and stay as they are
}

/** A turn in which nothing happened that one would look for. */
export function isQuiet(turn: Turn): boolean {
  const t = turn.totals
  return turn.status === 'ok' && turn.flags.length === 0 && t.failedCalls === 0 && t.errors === 0 && t.compactions === 0
}

/**
 * Turns as rows; runs of at least three quiet ones are one. With a filter, quiet is what does not match. A turn with
 * sub-agents is never quiet.
 */
export function rowsOf(turns: Turn[], ribbon: Ribbon, busy: ReadonlySet<number>, options: CollapseOptions): MapRow[] {
  const flagsAt = new Map(ribbon.turns.map((t) => [t.index, t.flags]))
  const quiet = (turn: Turn): boolean => {
    if (turn.index >= options.settled - 1) return false // the newest at that time may still have been going on
    if (options.flag) return !hasFlag(ribbon, flagsAt.get(turn.index) ?? 0, options.flag)
    return isQuiet(turn) && !busy.has(turn.index)
  }
  const rows: MapRow[] = []
  for (let i = 0; i < turns.length; ) {
    let end = i
    while (end < turns.length && quiet(turns[end]!)) end += 1
    const id = `q${turns[i]!.index}`
    if (end - i >= LEAST_RUN) rows.push({ kind: 'quiet', id, turns: turns.slice(i, end) })
    const open = options.expanded.has(id)
    if (end - i < LEAST_RUN || open) for (const turn of turns.slice(i, Math.max(end, i + 1))) rows.push({ kind: 'turn', id: `t${turn.index}`, turn })
    i = Math.max(end, i + 1)
  }
  return rows
}

/** The sub-agents of each turn, by the time at which they began. */
export function agentsOf(children: Session[], turns: Turn[]): Map<number, Session[]> {
  const byTurn = new Map<number, Session[]>()
  for (const child of children) {
    const turn = turns.findLast((t) => t.startedAt > 0 && t.startedAt <= child.startedAt) ?? turns[0]
    if (turn) byTurn.set(turn.index, [...(byTurn.get(turn.index) ?? []), child])
  }
  return byTurn
}

export type MapNode = Box & (MapRow | { kind: 'agent'; session: Session; turn: number } | { kind: 'more'; count: number; turn: number })

export interface TurnMap {
  nodes: MapNode[]
  edges: PlacedEdge[]
  width: number
  height: number
}

/** Places the rows one below another and the sub-agents of a turn beside it. What is above never depends on what is below. */
export function placeRows(rows: MapRow[], agents: ReadonlyMap<number, Session[]>): TurnMap {
  const map: TurnMap = { nodes: [], edges: [], width: card.width, height: 0 }
  let y = 0
  let before: string | undefined
  let tails: { id: string; at: number }[] = []
  for (const row of rows) {
    const box = row.kind === 'turn' ? card : quietRow
    map.nodes.push({ ...row, x: 0, y, ...box })
    if (before !== undefined) map.edges.push(edge('next', before, row.id))
    const from = row.kind === 'turn' ? row.turn.startedAt : row.turns[0]!.startedAt
    for (const tail of tails) if (from === 0 || tail.at <= from) map.edges.push(edge('join', tail.id, row.id))
    tails = tails.filter((tail) => from !== 0 && tail.at > from)
    const beside = row.kind === 'turn' ? (agents.get(row.turn.index) ?? []) : []
    tails.push(...placeAgents(map, row.id, row.kind === 'turn' ? row.turn.index : 0, beside, y))
    const shown = Math.min(beside.length, MOST_AGENTS) + (beside.length > MOST_AGENTS ? 1 : 0)
    y += Math.max(box.height, shown * (agentCard.height + AGENT_GAP) - AGENT_GAP) + GAP
    before = row.id
  }
  map.height = Math.max(0, y - GAP)
  return map
}

function placeAgents(map: TurnMap, from: string, turn: number, agents: Session[], y: number): { id: string; at: number }[] {
  if (agents.length === 0) return []
  map.width = AGENT_X + agentCard.width
  const tails: { id: string; at: number }[] = []
  agents.slice(0, MOST_AGENTS).forEach((session, i) => {
    const id = `a${session.id}`
    map.nodes.push({ kind: 'agent', id, session, turn, x: AGENT_X, y: y + i * (agentCard.height + AGENT_GAP), ...agentCard })
    map.edges.push(edge('fork', from, id))
    // Only one line leads back: they all do, and six of them are a tangle.
    if (i === Math.min(agents.length, MOST_AGENTS) - 1) tails.push({ id, at: session.lastAt })
  })
  if (agents.length > MOST_AGENTS) {
    const id = `more${turn}`
    map.nodes.push({ kind: 'more', id, count: agents.length - MOST_AGENTS, turn, x: AGENT_X, y: y + MOST_AGENTS * (agentCard.height + AGENT_GAP), ...agentCard })
  }
  return tails
}

function edge(kind: PlacedEdge['kind'], source: string, target: string): PlacedEdge {
  return { id: `${kind}:${source}>${target}`, source, target, kind, animated: false, dashed: false }
}

/** The turns (by position in turns) that stand between two heights. */
export function turnsBetween(map: TurnMap, top: number, bottom: number): [number, number] | undefined {
  const seen = map.nodes.filter((n) => n.y < bottom && n.y + n.height > top && (n.kind === 'turn' || n.kind === 'quiet'))
  const first = seen[0]
  const last = seen.at(-1)
  if (!first || !last) return undefined
  return [indexesOf(first)[0], indexesOf(last)[1]]
}

function indexesOf(node: MapNode): [number, number] {
  if (node.kind === 'turn') return [node.turn.index, node.turn.index]
  if (node.kind === 'quiet') return [node.turns[0]!.index, node.turns.at(-1)!.index]
  return [node.turn, node.turn]
}

/** The node in which a turn stands: its own, or the run of quiet turns that has it. */
export function nodeOfTurn(map: TurnMap, index: number): MapNode | undefined {
  const own = map.nodes.find((n) => n.kind === 'turn' && n.turn.index === index)
  return own ?? map.nodes.find((n) => n.kind === 'quiet' && n.turns[0]!.index <= index && index <= n.turns.at(-1)!.index)
}

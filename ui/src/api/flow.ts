import type { components } from './types.gen'

/** What …/flow and …/ribbon answer, as the daemon describes it. */
type Schemas = components['schemas']

export type FlowEdge = Schemas['FlowEdge']
export type FlowGraph = Schemas['FlowGraph']
export type FlowKind = Schemas['FlowKind']
export type FlowNode = Schemas['FlowNode']
export type RibbonTurn = Schemas['RibbonTurn']

/** seq, category, status, ms since the turn's start (-1 = unknown), duration in ms (-1 = unknown), flags as bits, tool */
export type RibbonCall = [number, number, number, number, number, number, number]

/** From one call to another, both indexes into the calls; the third number is the kind of the flag. */
export type RibbonArc = [number, number, number]

/** The daemon's description does not say how long a row of numbers is. */
export interface Ribbon extends Omit<Schemas['Ribbon'], 'calls' | 'arcs'> {
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

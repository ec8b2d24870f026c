import type { FlagKind } from '@/api/types'

/** The state of the Flow view. Turns are counted from 1, as on screen; calls by their number in the session. */
export interface FlowSearch {
  turn?: number // absent = the latest turn
  call?: number // pinned call of the session itself
  node?: string // pinned node that is no such call
  by?: 'graph' | 'time' // absent = a graph, or by time if it is too large for one
  axis?: 'time' // of the ribbon; absent = a column per turn
  table?: true
  flag?: FlagKind
}

const whole = (v: unknown, least: number): number | undefined => {
  const n = typeof v === 'number' ? v : typeof v === 'string' ? Number(v) : NaN
  return Number.isInteger(n) && n >= least ? n : undefined
}
const oneOf = <T extends string>(v: unknown, ...words: T[]): T | undefined => words.find((w) => w === v)

/** Takes what it understands from a URL and drops the rest. */
export function validateFlowSearch(raw: Record<string, unknown>): FlowSearch {
  const search: FlowSearch = {
    turn: whole(raw['turn'], 1),
    call: whole(raw['call'], 0),
    node: typeof raw['node'] === 'string' && raw['node'] !== '' ? raw['node'] : undefined,
    by: oneOf(raw['by'], 'graph', 'time'),
    axis: oneOf(raw['axis'], 'time'),
    table: raw['table'] === true || raw['table'] === 1 ? true : undefined,
    flag: oneOf(raw['flag'], 'fail', 'retry', 'loop', 'fanout', 'compaction-loss', 'thrash'),
  }
  return search // also what is undefined, or the router keeps what the URL says
}

/** The id of the pinned node. */
export function pinOf(search: FlowSearch): string | undefined {
  return search.node ?? (search.call === undefined ? undefined : `c${search.call}`)
}

/** The search that pins a node: calls of the session itself by their number, as everywhere; anything else by its id. */
export function pinSearch(id: string | undefined): Pick<FlowSearch, 'call' | 'node'> {
  const call = id === undefined ? null : /^c(\d+)$/.exec(id)
  return call ? { call: Number(call[1]), node: undefined } : { call: undefined, node: id }
}

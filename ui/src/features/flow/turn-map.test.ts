import { describe, expect, it } from 'vitest'
import type { Ribbon } from '@/api/flow'
import type { FlagKind, Session, Turn } from '@/api/types'
import type { MapRow } from './turn-map'
import { agentsOf, nodeOfTurn, placeRows, rowsOf, turnsBetween } from './turn-map'

function turn(index: number, fields: { flags?: FlagKind[]; failed?: number; status?: Turn['status'] } = {}): Turn {
  const flags = (fields.flags ?? []).map((kind) => ({ kind }))
  return { index, status: fields.status ?? 'ok', flags, startedAt: 1000 * (index + 1), totals: { failedCalls: fields.failed ?? 0, errors: 0, compactions: 0 } } as unknown as Turn
}

const kinds: FlagKind[] = ['fail', 'retry']
function ribbonOf(turns: Turn[]): Ribbon {
  const bits = (t: Turn): number => t.flags.reduce((sum, f) => sum | (1 << kinds.indexOf(f.kind)), 0)
  return { flagKinds: kinds, from: 0, turns: turns.map((t) => ({ index: t.index, flags: bits(t) })) } as unknown as Ribbon
}

const options = { flag: undefined, expanded: new Set<string>(), settled: 100 }
const spell = (rows: MapRow[]): string[] => rows.map((r) => (r.kind === 'turn' ? r.id : `${r.id}×${r.turns.length}`))
const child = (id: string, startedAt: number, lastAt: number) => ({ id, startedAt, lastAt }) as Session

describe('rowsOf', () => {
  const turns = Array.from({ length: 9 }, (_, i) => turn(i, i === 4 ? { flags: ['retry'] } : {}))
  it('folds runs of at least three quiet turns', () => {
    expect(spell(rowsOf(turns, ribbonOf(turns), new Set(), options))).toEqual(['q0×4', 't4', 'q5×4'])
    const few = turns.slice(2, 7)
    expect(spell(rowsOf(few, ribbonOf(few), new Set(), options))).toEqual(['t2', 't3', 't4', 't5', 't6'])
  })

  it.each([
    ['failed', turn(1, { failed: 1 })],
    ['interrupted', turn(1, { status: 'interrupted' })],
    ['open', turn(1, { status: 'open' })],
  ])('never folds a turn that %s', (_, loud) => {
    const all = [turn(0), loud, turn(2)]
    expect(spell(rowsOf(all, ribbonOf(all), new Set(), options))).toEqual(['t0', 't1', 't2'])
  })

  it('never folds a turn with sub-agents', () => {
    expect(spell(rowsOf(turns, ribbonOf(turns), new Set([6]), options))).toEqual(['q0×4', 't4', 't5', 't6', 't7', 't8'])
  })

  it('unfolds a run below its row', () => {
    expect(spell(rowsOf(turns, ribbonOf(turns), new Set(), { ...options, expanded: new Set(['q5']) }))).toEqual(['q0×4', 't4', 'q5×4', 't5', 't6', 't7', 't8'])
  })

  it('folds what a filter does not match', () => {
    expect(spell(rowsOf(turns, ribbonOf(turns), new Set([6]), { ...options, flag: 'retry' }))).toEqual(['q0×4', 't4', 'q5×4'])
  })

  it('moves nothing when turns come', () => {
    const seen = { ...options, settled: turns.length }
    const before = placeRows(rowsOf(turns, ribbonOf(turns), new Set(), seen), new Map())
    const more = [...turns, turn(9), turn(10), turn(11), turn(12)]
    const after = placeRows(rowsOf(more, ribbonOf(more), new Set(), seen), new Map())
    expect(after.nodes.slice(0, before.nodes.length).map((n) => [n.id, n.x, n.y])).toEqual(before.nodes.map((n) => [n.id, n.x, n.y]))
    expect(after.nodes.slice(before.nodes.length).map((n) => n.id)).toEqual(['t9', 't10', 't11', 't12'])
  })
})

describe('placeRows', () => {
  const turns = [turn(0), turn(1), turn(2)]
  const rows = turns.map((t): MapRow => ({ kind: 'turn', id: `t${t.index}`, turn: t }))

  it('forks sub-agents from the turn in which they began and joins them where they had ended', () => {
    const agents = agentsOf([child('a', 1100, 1900), child('b', 1200, 2500)], turns)
    expect([...agents.keys()]).toEqual([0])
    const map = placeRows(rows, agents)
    expect(map.edges.map((e) => e.id)).toEqual(['fork:t0>aa', 'fork:t0>ab', 'next:t0>t1', 'next:t1>t2', 'join:ab>t2'])
  })

  it('makes room for many sub-agents and names the rest', () => {
    const map = placeRows(rows, new Map([[0, Array.from({ length: 9 }, (_, i) => child(String(i), 1100, 1200))]]))
    const last = map.nodes.findLast((n) => n.kind === 'more')!
    expect(last).toMatchObject({ count: 3 })
    expect(map.nodes.find((n) => n.id === 't1')!.y).toBeGreaterThan(last.y + last.height)
  })

  it('knows which turns stand between two heights', () => {
    const map = placeRows(rowsOf(turns, ribbonOf(turns), new Set(), options), new Map())
    expect(turnsBetween(map, 0, 10)).toEqual([0, 2])
    expect(turnsBetween(placeRows(rows, new Map()), 100, 150)).toEqual([1, 1])
    expect(turnsBetween(map, 5000, 6000)).toBeUndefined()
  })

  it('finds a turn also in a folded run', () => {
    const map = placeRows(rowsOf(turns, ribbonOf(turns), new Set(), options), new Map())
    expect(nodeOfTurn(map, 1)?.id).toBe('q0')
  })
})

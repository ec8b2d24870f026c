import { describe, expect, it } from 'vitest'
import type { Ribbon, RibbonCall, RibbonTurn } from '@/api/flow'
import { mergeRibbon } from '@/api/flow'
import { arcsOf, columnsOf, flagTurns, scaleOf, segmentsOf, slicesOf, turnAt, turnOfCall } from './ribbon'

function ribbonOf(sizes: number[], fields: Partial<RibbonTurn>[] = [], from = 0): Ribbon {
  const turns: RibbonTurn[] = []
  const calls: RibbonCall[] = []
  sizes.forEach((n, i) => {
    turns.push({ index: from + i, status: 'ok', startedAt: 0, endedAt: 0, roundTrips: n + 1, calls: [n, 0], failed: 0, flags: 0, compactions: 0, at: calls.length, n, ...fields[i] })
    for (let k = 0; k < n; k++) calls.push([calls.length + from * 100, 0, 1, -1, -1, 0, 0])
  })
  return { turnCount: from + sizes.length, from, revision: 1, categories: ['file', 'shell'], statuses: ['pending', 'ok', 'failed'], flagKinds: ['fail', 'retry'], tools: ['Read'], turns, calls, arcs: [] }
}

describe('scaleOf', () => {
  it('gives each turn the same width, but not a wall to a few', () => {
    expect(scaleOf(ribbonOf([1, 1, 1, 1]).turns, 400, 'turn')).toMatchObject({ starts: [0, 100, 200, 300], ends: [100, 200, 300, 400] })
    expect(scaleOf(ribbonOf([1]).turns, 1400, 'turn').ends).toEqual([160])
  })

  it('gives each turn its time and cuts long pauses', () => {
    const turns = ribbonOf([1, 1], [{ startedAt: 1000, endedAt: 31_000 }, { startedAt: 9_000_000, endedAt: 9_030_000 }]).turns
    const scale = scaleOf(turns, 620, 'time')
    expect(scale.starts).toEqual([0, 320])
    expect(scale.ends).toEqual([300, 620])
    expect(scale.breaks).toEqual([310])
  })

  it('falls back to turns if the log has no times', () => {
    expect(scaleOf(ribbonOf([1, 1]).turns, 100, 'time').starts).toEqual([0, 50])
  })

  it('finds the turn at a place', () => {
    const scale = scaleOf(ribbonOf([1, 1, 1, 1]).turns, 400, 'turn')
    expect([-5, 0, 99, 100, 399, 999].map((x) => turnAt(scale, x))).toEqual([0, 0, 0, 1, 3, 3])
  })
})

describe('columnsOf', () => {
  it('lets turns share a column that would be narrower than two px, and loses none', () => {
    const ribbon = ribbonOf(Array.from({ length: 5000 }, () => 1), [{ failed: 1 }])
    const columns = columnsOf(ribbon, scaleOf(ribbon.turns, 1000, 'turn'))
    expect(columns).toHaveLength(500)
    expect(columns.reduce((n, c) => n + (c.calls[0] ?? 0), 0)).toBe(5000)
    expect(columns[0]).toMatchObject({ first: 0, last: 9, failed: 1 })
  })
})

describe('segmentsOf', () => {
  const base = { x: 0, width: 4, first: 0, last: 0, failed: 0, flags: 0, compactions: 0 }
  it('shares a bar among categories and stands on the ground', () => {
    const segments = segmentsOf({ ...base, roundTrips: 16, calls: [3, 1] }, 16)
    expect(segments).toEqual([{ category: 1, y: 18, height: 11.5 }, { category: 0, y: 29.5, height: 34.5 }])
  })

  it('grows with the root of the round trips', () => {
    expect(segmentsOf({ ...base, roundTrips: 4, calls: [1, 0] }, 16)).toEqual([{ category: 0, y: 41, height: 23 }])
  })

  it('shows also a turn without calls', () => {
    expect(segmentsOf({ ...base, roundTrips: 1, calls: [0, 0] }, 400)).toEqual([{ category: -1, y: 61, height: 3 }])
  })
})

describe('slicesOf', () => {
  it('tells calls apart where there is room', () => {
    const ribbon = ribbonOf([4, 90])
    ribbon.calls[2]![2] = 2
    const [few, many] = columnsOf(ribbon, scaleOf(ribbon.turns, 160, 'turn'))
    expect(slicesOf(ribbon, few!)?.map((s) => s.broken)).toEqual([false, false, true, false])
    expect(slicesOf(ribbon, many!)).toBeUndefined()
  })
})

describe('arcsOf', () => {
  it('leads from call to call and draws the same place once', () => {
    const ribbon = ribbonOf([2, 2])
    ribbon.arcs = [[0, 3, 1], [0, 3, 1], [1, 2, 1]]
    expect(arcsOf(ribbon, scaleOf(ribbon.turns, 200, 'turn'))).toEqual([{ from: 25, to: 175, kind: 1 }, { from: 75, to: 125, kind: 1 }])
  })

  it('is never too narrow to be seen', () => {
    const ribbon = ribbonOf(Array.from({ length: 1000 }, () => 2))
    ribbon.arcs = [[0, 1, 1]]
    const [arc] = arcsOf(ribbon, scaleOf(ribbon.turns, 1000, 'turn'))
    expect(arc!.to - arc!.from).toBe(6)
  })
})

describe('turns of a ribbon', () => {
  it('are found by a call', () => {
    expect(turnOfCall(ribbonOf([2, 0, 3]), 3)).toBe(2)
    expect(turnOfCall(ribbonOf([2]), 9)).toBeUndefined()
  })

  it('are counted by flag', () => {
    expect(flagTurns(ribbonOf([1, 1, 1], [{ flags: 1 }, { flags: 3 }]))).toEqual([{ kind: 'fail', turns: 2 }, { kind: 'retry', turns: 1 }])
  })
})

describe('mergeRibbon', () => {
  it('puts later turns in place of the old ones and translates their tools', () => {
    const old = { ...ribbonOf([2, 1]), arcs: [[0, 1, 1], [1, 2, 1]] as Ribbon['arcs'] }
    const fresh: Ribbon = { ...ribbonOf([2, 1], [], 1), tools: ['Bash', 'Read'], arcs: [[0, 1, 1]] }
    fresh.calls[1]![6] = 1
    const merged = mergeRibbon(old, fresh)
    expect(merged.turns.map((t) => [t.index, t.at, t.n])).toEqual([[0, 0, 2], [1, 2, 2], [2, 4, 1]])
    expect(merged.tools).toEqual(['Read', 'Bash'])
    expect(merged.calls.map((c) => merged.tools[c[6]])).toEqual(['Read', 'Read', 'Bash', 'Read', 'Bash'])
    expect(merged.arcs).toEqual([[0, 1, 1], [2, 3, 1]])
    expect(merged.turnCount).toBe(3)
  })

  it('keeps everything if nothing came', () => {
    const old = ribbonOf([2, 1])
    expect(mergeRibbon(old, { ...ribbonOf([]), from: 0, turnCount: 2 }).turns).toBe(old.turns)
  })
})

import { describe, expect, it } from 'vitest'
import { node } from './testing'
import { ticksOf, waterfallOf } from './waterfall'

const ms = (value: number) => ({ value, quality: 'exact' }) as const

describe('waterfallOf', () => {
  const nodes = [
    node('t0', { startedAt: 1000, endedAt: 9000, durationMs: ms(8000) }),
    node('r0', { startedAt: 1000, durationMs: ms(500) }),
    node('c0', { startedAt: 1500, durationMs: ms(3000), waitMs: 1000 }),
    node('m0', { startedAt: 1600, durationMs: ms(20) }),
    node('c1', { startedAt: 5000, status: 'pending' }),
    node('c2'),
  ]
  const fall = waterfallOf(nodes, 10_000)

  it('counts from the first time in the log', () => {
    expect(fall.start).toBe(1000)
    expect(fall.rows.map((r) => [r.node.id, r.from, r.to])).toEqual([
      ['t0', 0, 0],
      ['r0', 0, 500],
      ['c0', 500, 3500],
      ['m0', 600, 620],
      ['c1', 4000, 9000],
      ['c2', -1, -1],
    ])
    expect(fall.total).toBe(9000)
  })

  it('sorts what ran into lanes and takes the waiting out of the tool', () => {
    expect(fall.lanes.waiting).toMatchObject([{ from: 500, to: 1500 }])
    expect(fall.lanes.tools).toMatchObject([{ from: 1500, to: 3500 }, { from: 4000, to: 9000 }])
    expect(fall.lanes.model).toMatchObject([{ from: 0, to: 500 }])
    expect(fall.lanes.hooks).toMatchObject([{ from: 600, to: 620 }])
  })

  it('lasts if the log has no times', () => {
    expect(waterfallOf([node('t0')], 5)).toMatchObject({ start: 0, total: 0 })
  })
})

describe('ticksOf', () => {
  it.each([
    [9000, 8, [0, 2000, 4000, 6000, 8000]],
    [90, 5, [0, 20, 40, 60, 80]],
    [0, 5, [0]],
  ])('%d ms in at most %d steps', (total, most, ticks) => {
    expect(ticksOf(total, most)).toEqual(ticks)
  })
})

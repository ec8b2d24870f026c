import { describe, expect, it } from 'vitest'
import type { FlowGraph } from '@/api/flow'
import type { Layout } from './layout'
import { defaultOptions, layoutTurn, size } from './layout'
import { edge, node, rounds } from './testing'
import { pathOf, walk } from './walk'

const at = (layout: Layout, id: string) => layout.nodes.find((n) => n.id === id)!
const ids = (layout: Layout) => layout.nodes.map((n) => n.id)
const drawn = (layout: Layout) => layout.edges.map((e) => e.id)

function overlaps(layout: Layout): string[] {
  const found: string[] = []
  layout.nodes.forEach((a, i) =>
    layout.nodes.slice(i + 1).forEach((b) => {
      if (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height) found.push(`${a.id} ${b.id}`)
    }),
  )
  return found
}

/** A response with three calls at once, one of which spawned a sub-agent that the next response waits for. */
const fan: FlowGraph = {
  nodes: [
    node('t0'),
    node('r0'),
    node('c0'),
    node('c1', { child: 'kid' }),
    node('kid/t0'),
    node('kid/r0'),
    node('kid/c0'),
    node('kid/r1'),
    node('c2'),
    node('m0'),
    node('r1'),
  ],
  edges: [
    edge('next', 't0', 'r0'),
    edge('requested_by', 'r0', 'c0'),
    edge('requested_by', 'r0', 'c1'),
    edge('requested_by', 'r0', 'c2'),
    edge('parallel', 'c0', 'c1'),
    edge('parallel', 'c1', 'c2'),
    edge('requested_by', 'c1', 'kid/t0'),
    edge('next', 'kid/t0', 'kid/r0'),
    edge('requested_by', 'kid/r0', 'kid/c0'),
    edge('next', 'kid/c0', 'kid/r1'),
    edge('requested_by', 'c2', 'm0'),
    edge('next', 'c0', 'r1'),
    edge('next', 'c1', 'r1'),
    edge('next', 'c2', 'r1'),
    edge('next', 'kid/r1', 'r1'),
  ],
  turnCount: 1,
  from: 0,
}

describe('layoutTurn', () => {
  it('puts steps below one another and calls beside their step', () => {
    const layout = layoutTurn(rounds(['a', 'b']))
    expect(at(layout, 'r0').x).toBe(0)
    expect(at(layout, 'c0')).toMatchObject({ y: at(layout, 'r0').y, x: size.step.width + 44 })
    expect(at(layout, 'r1').y).toBeGreaterThan(at(layout, 'r0').y + size.step.height)
    expect(overlaps(layout)).toEqual([])
  })

  it('puts the calls of one response below one another and lets only the lowest lead on', () => {
    const layout = layoutTurn(fan)
    expect([at(layout, 'c0').x, at(layout, 'c1').x, at(layout, 'c2').x]).toEqual([280, 280, 280])
    expect(drawn(layout).filter((id) => id.startsWith('next:c'))).toEqual(['next:c2>r1'])
    expect(drawn(layout).filter((id) => id.startsWith('parallel'))).toEqual(['parallel:c0>c1', 'parallel:c1>c2'])
    expect(overlaps(layout)).toEqual([])
  })

  it('puts a sub-agent into a column of its own, forks it from its call and joins it where the turn goes on', () => {
    const layout = layoutTurn(fan)
    expect(at(layout, 'kid/t0').y).toBe(at(layout, 'c1').y)
    expect(at(layout, 'kid/t0').x).toBeGreaterThan(at(layout, 'c1').x + size.call.width)
    expect(drawn(layout)).toContain('fork:c1>kid/t0')
    expect(drawn(layout)).toContain('join:kid/r1>r1')
    expect(at(layout, 'r1').y).toBeGreaterThan(at(layout, 'kid/r1').y + size.step.height)
  })

  it('folds a sub-agent into its call', () => {
    const layout = layoutTurn(fan, { ...defaultOptions, toggled: new Set(['c1']) })
    expect(ids(layout).filter((id) => id.startsWith('kid'))).toEqual([])
    expect(at(layout, 'c1')).toMatchObject({ folded: 4, lanes: ['kid'] })
  })

  it('counts quiet hooks instead of drawing them, unless asked to', () => {
    expect(at(layoutTurn(fan), 'c2').hooks).toBe(1)
    const layout = layoutTurn(fan, { ...defaultOptions, hooks: true })
    expect(ids(layout)).toContain('m0')
    expect(overlaps(layout)).toEqual([])
  })

  it('leads past what is not drawn', () => {
    const graph: FlowGraph = { nodes: [node('t0'), node('m0'), node('m1'), node('r0')], edges: [edge('next', 't0', 'm0'), edge('next', 'm0', 'm1'), edge('next', 'm1', 'r0')], turnCount: 1, from: 0 }
    expect(drawn(layoutTurn(graph))).toEqual(['next:t0>r0'])
  })

  it('draws a loop once', () => {
    const layout = layoutTurn(rounds(['x', 'x', 'x', 'x', 'y']))
    expect(ids(layout)).toEqual(['t0', 'r0', 'c0', 'r4', 'c4', 'r5'])
    expect(at(layout, 'c0').stack).toMatchObject({ id: 'r0', times: 4, period: 1, members: ['c0', 'c1', 'c2', 'c3'] })
    expect(drawn(layout)).toContain('next:c0>r4')
    expect(drawn(layout).filter((id) => id.endsWith('>r0'))).toEqual(['next:t0>r0'])
  })

  it('draws a loop of two steps once', () => {
    const layout = layoutTurn(rounds(['a', 'b', 'a', 'b', 'a', 'b']))
    expect(ids(layout)).toEqual(['t0', 'r0', 'c0', 'r1', 'c1', 'r6'])
    expect(at(layout, 'c1').stack).toMatchObject({ times: 3, period: 2, members: ['c1', 'c3', 'c5'] })
  })

  it('takes a loop apart', () => {
    const layout = layoutTurn(rounds(['x', 'x', 'x']), { ...defaultOptions, open: new Set(['r0']) })
    expect(ids(layout)).toEqual(['t0', 'r0', 'c0', 'r1', 'c1', 'r2', 'c2', 'r3'])
    expect(layout.openStacks).toMatchObject([{ id: 'r0', times: 3 }])
  })

  it('leaves two equal rounds as they are', () => {
    expect(layoutTurn(rounds(['x', 'x', 'y'])).nodes.every((n) => !n.stack)).toBe(true)
  })

  it('moves nothing when the turn goes on', () => {
    const calls = ['a', 'x', 'x', 'x', 'b', 'c', 'c']
    const options = { ...defaultOptions, settled: 1 + calls.length + 1 }
    const before = layoutTurn(rounds(calls), options)
    // What came lately makes loops with what is on screen, and they stay apart.
    const after = layoutTurn(rounds([...calls, 'c', 'c', 'd', 'd', 'd']), options)
    for (const old of before.nodes) {
      expect(at(after, old.id)).toMatchObject({ x: old.x, y: old.y, width: old.width, height: old.height })
    }
    expect(after.nodes.length).toBeGreaterThan(before.nodes.length)
  })

  it('moves nothing when a sub-agent goes on', () => {
    const growing: FlowGraph = { ...fan, nodes: fan.nodes.filter((n) => !['r1', 'kid/r1'].includes(n.id)) }
    const before = layoutTurn(growing)
    const after = layoutTurn(fan)
    for (const old of before.nodes) expect(at(after, old.id)).toMatchObject({ x: old.x, y: old.y })
  })

  it('places 5,000 calls one below another', () => {
    const many = rounds(Array.from({ length: 5000 }, (_, i) => `call ${i}`))
    const layout = layoutTurn(many)
    expect(layout.nodes).toHaveLength(10_002)
    expect(layout.height).toBe(5002 * (size.step.height + 16) - 16)
  })
})

describe('walk', () => {
  const layout = layoutTurn(fan)
  it.each([
    ['t0', 'down', 'r0'],
    ['r0', 'right', 'c0'],
    ['c0', 'down', 'c1'],
    ['c1', 'left', 'r0'],
    ['c1', 'right', 'kid/t0'],
    ['kid/t0', 'left', 'c1'],
    ['r0', 'down', 'r1'],
    ['c2', 'down', 'r1'],
    ['t0', 'up', undefined],
  ] as const)('from %s %s to %s', (from, direction, to) => {
    expect(walk(layout, from, direction)).toBe(to)
  })

  it('begins at the prompt', () => {
    expect(walk(layout, undefined, 'down')).toBe('t0')
  })
})

describe('pathOf', () => {
  it('lights what led to a node of a sub-agent, through its call up to the prompt', () => {
    expect([...pathOf(layoutTurn(fan), 'kid/c0').nodes].sort()).toEqual(['c1', 'kid/c0', 'kid/r0', 'kid/r1', 'kid/t0', 'r0', 't0'])
  })

  it('lights what a flag rests on', () => {
    const graph = rounds(['a', 'b', 'c'])
    const flagged = graph.nodes.find((n) => n.id === 'c2')!
    flagged.flagDetails = [{ kind: 'retry', reason: 'again', at: { kind: 'call', seq: 2 }, evidence: [{ at: { kind: 'call', seq: 0 }, text: 'before' }] }]
    expect(pathOf(layoutTurn(graph), 'c2').nodes.has('c0')).toBe(true)
  })
})

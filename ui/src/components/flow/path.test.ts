import { expect, test } from 'vitest'
import { across, edgePath } from './path'

const box = (id: string, x: number, y: number, height = 64) => ({ id, x, y, width: 236, height })
const call = box('call', 0, 80, 44)
const kid = box('kid', 900, 80)
// A lane between them: a step and its call 8 px below it, at the height of the edge.
const lane = [box('t', 400, 0), box('r', 400, 80), box('c', 420, 152, 44)]

/** Boxes that a line through the points touches. */
function touched(points: [number, number][], boxes: typeof lane): string[] {
  return boxes.flatMap((b) =>
    points.slice(1).some(([x2, y2], i) => {
      const [x1, y1] = points[i]!
      return Math.min(x1, x2) < b.x + b.width && Math.max(x1, x2) > b.x && Math.min(y1, y2) < b.y + b.height && Math.max(y1, y2) > b.y
    }) ? [b.id] : [],
  )
}

test('with nothing between, an edge is a straight line or a bracket', () => {
  expect(edgePath('fork', call, kid)).toBe('M236 102L900 102')
  expect(across(call, box('b', 280, 200, 44), [])).toEqual([[236, 102], [258, 102], [258, 222], [280, 222]])
})

test('the edge of a sub-agent passes the lanes before it in the gap that is nearest, and behind no box', () => {
  const way = across(call, kid, lane)
  expect(touched(way, lane)).toEqual([])
  expect(way[0]).toEqual([236, 102])
  expect(way.at(-1)).toEqual([900, 102])
  expect(way.map(([, y]) => y)).toContain(76)
})

test('every edge that a turn with several sub-agents has stays clear of the boxes', () => {
  const wall = Array.from({ length: 9 }, (_, i) => box(`w${i}`, 400, i * 80))
  for (let y = 0; y < 700; y += 7) expect(touched(across(box('a', 0, y, 44), kid, wall), wall)).toEqual([])
})

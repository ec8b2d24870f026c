import type { Box, PlacedEdge } from './layout'

const R = 6 // of a bend

/** The way of an edge as an SVG path; straight where it can be, with round bends where it cannot, past what stands between. */
export function edgePath(kind: PlacedEdge['kind'], a: Box, b: Box, between: Box[] = []): string {
  if (kind === 'parallel') return line(a.x + 18, a.y + a.height, b.x + 18, b.y)
  if ((kind === 'requested_by' || kind === 'fork') && b.x >= a.x + a.width) return rounded(across(a, b, between))
  if (kind === 'requested_by') return elbowInto(a, b)
  return downTo(a, b)
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `M${x1} ${y1}L${x2} ${y2}`
}

type Point = [x: number, y: number]

/** From the right side of a to the left side of b: a bracket, which passes each column between them where it has a gap. */
export function across(a: Box, b: Box, between: Box[]): Point[] {
  const end = b.y + Math.min(b.height / 2, 22)
  let x = a.x + a.width
  let y = a.y + Math.min(a.height / 2, 22)
  const points: Point[] = [[x, y]]
  const go = (bend: number, to: number): void => {
    if (Math.abs(to - y) >= 1) points.push([bend, y], [bend, to])
    y = to
  }
  for (const column of columnsOf(between)) {
    go(column.left - Math.min(14, (column.left - x) / 2), gapNear(column.boxes, y))
    x = column.right
  }
  go(between.length > 0 ? b.x - Math.min(14, (b.x - x) / 2) : x + Math.min(22, (b.x - x) / 2), end)
  return [...points, [b.x, y]]
}

interface Column {
  left: number
  right: number
  boxes: Box[]
}

/** Boxes whose widths overlap, from left to right. */
function columnsOf(boxes: Box[]): Column[] {
  const columns: Column[] = []
  for (const box of [...boxes].sort((p, q) => p.x - q.x)) {
    const last = columns.at(-1)
    if (last && box.x < last.right) {
      last.right = Math.max(last.right, box.x + box.width)
      last.boxes.push(box)
    } else columns.push({ left: box.x, right: box.x + box.width, boxes: [box] })
  }
  return columns
}

const CLEAR = 4 // from a box that is passed

/** The height nearest to y at which no box is in the way. */
function gapNear(boxes: Box[], y: number): number {
  const free = (at: number) => boxes.every((n) => at <= n.y - CLEAR || at >= n.y + n.height + CLEAR)
  const ways = [y, ...boxes.flatMap((n) => [n.y - CLEAR, n.y + n.height + CLEAR])]
  return ways.filter(free).sort((p, q) => Math.abs(p - y) - Math.abs(q - y))[0] ?? y
}

/** Straight lines through the points with round bends. */
function rounded(points: Point[]): string {
  const bend = ([x, y]: Point, i: number): string => {
    const [px, py] = points[i]!
    const next = points[i + 2]
    if (!next) return `L${x} ${y}`
    const [nx, ny] = next
    const r = Math.min(R, (Math.abs(x - px) + Math.abs(y - py)) / 2, (Math.abs(nx - x) + Math.abs(ny - y)) / 2)
    const [inX, inY] = [x - r * Math.sign(x - px), y - r * Math.sign(y - py)]
    return `L${inX} ${inY}Q${x} ${y} ${x + r * Math.sign(nx - x)} ${y + r * Math.sign(ny - y)}`
  }
  return `M${points[0]!.join(' ')}${points.slice(1).map(bend).join('')}`
}

/** From below a, on the left, into the left side of b: what hangs on a call. */
function elbowInto(a: Box, b: Box): string {
  const x = a.x + 10
  const y = b.y + b.height / 2
  return `M${x} ${a.y + a.height}L${x} ${y - R}Q${x} ${y} ${x + R} ${y}L${b.x} ${y}`
}

/** From below a to the top of b: straight if they stand in one column, else down, over and down. */
function downTo(a: Box, b: Box): string {
  const x1 = a.x + Math.min(a.width / 2, 118)
  const x2 = b.x + Math.min(b.width / 2, 118)
  const y1 = a.y + a.height
  const y2 = b.y
  if (a.x === b.x) return line(x2, y1, x2, y2)
  const y = y2 - 7
  const s = Math.sign(x2 - x1)
  const r = Math.min(R, Math.abs(x2 - x1) / 2, 7, Math.max(0, y - y1))
  return `M${x1} ${y1}L${x1} ${y - r}Q${x1} ${y} ${x1 + s * r} ${y}L${x2 - s * r} ${y}Q${x2} ${y} ${x2} ${y + r}L${x2} ${y2}`
}

import type { Box, PlacedEdge } from './layout'

const R = 6 // of a bend

/** The way of an edge as an SVG path; straight where it can be, with round bends where it cannot. */
export function edgePath(kind: PlacedEdge['kind'], a: Box, b: Box): string {
  if (kind === 'parallel') return line(a.x + 18, a.y + a.height, b.x + 18, b.y)
  if ((kind === 'requested_by' || kind === 'fork') && b.x >= a.x + a.width) return across(a, b)
  if (kind === 'requested_by') return elbowInto(a, b)
  return downTo(a, b)
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `M${x1} ${y1}L${x2} ${y2}`
}

/** From the right side of a to the left side of b: a bracket. */
function across(a: Box, b: Box): string {
  const y1 = a.y + Math.min(a.height / 2, 22)
  const y2 = b.y + Math.min(b.height / 2, 22)
  const x1 = a.x + a.width
  const x = x1 + Math.min(22, (b.x - x1) / 2)
  if (Math.abs(y1 - y2) < 1) return line(x1, y1, b.x, y2)
  const s = Math.sign(y2 - y1)
  const r = Math.min(R, Math.abs(y2 - y1) / 2)
  return `M${x1} ${y1}L${x - r} ${y1}Q${x} ${y1} ${x} ${y1 + s * r}L${x} ${y2 - s * r}Q${x} ${y2} ${x + r} ${y2}L${b.x} ${y2}`
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

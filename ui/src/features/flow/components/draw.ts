import type { Ribbon } from '@/api/flow'
import type { FlagKind } from '@/api/types'
import type { Arc, Column, Scale, Segment, Slice } from '../ribbon'
import { RIBBON_PX, hasFlag, segmentsOf, slicesOf } from '../ribbon'

export interface Colours {
  categories: string[]
  none: string
  fail: string
  warn: string
  line: string
  page: string
}

/** The tokens as the canvas needs them; read again when the theme changes. */
export function coloursOf(el: Element, categories: string[]): Colours {
  const style = getComputedStyle(el)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  return { categories: categories.map((c) => token(`cat-${c}`)), none: token('line-strong'), fail: token('fail'), warn: token('warn'), line: token('line'), page: token('panel') }
}

interface Picture {
  ribbon: Ribbon
  scale: Scale
  columns: Column[]
  arcs: Arc[]
  flag: FlagKind | undefined
  colours: Colours
}

const FADED = 0.22

/** Draws the whole ribbon, some 100,000 rectangles at most, in one go; what moves above it is no part of the canvas. */
export function drawRibbon(ctx: CanvasRenderingContext2D, { ribbon, scale, columns, arcs, flag, colours }: Picture): void {
  ctx.clearRect(0, 0, scale.width, RIBBON_PX)
  ctx.fillStyle = colours.line
  ctx.fillRect(0, 64, scale.width, 1)
  const most = columns.reduce((n, c) => Math.max(n, c.roundTrips), 1)
  for (const column of columns) {
    const gap = column.width >= 4 ? 1 : 0
    const width = column.width - gap
    ctx.globalAlpha = flag && !hasFlag(ribbon, column.flags, flag) ? FADED : 1
    const segments = segmentsOf(column, most)
    const top = segments[0]?.y ?? 64
    const slices = slicesOf(ribbon, column)
    if (slices) drawSlices(ctx, slices, top, colours)
    else drawStack(ctx, column, segments, width, colours)
    if (column.compactions > 0) notch(ctx, column.x + width / 2, colours)
  }
  ctx.globalAlpha = 1
  drawBreaks(ctx, scale, colours)
  drawArcs(ctx, arcs, ribbon, flag, colours)
}

function drawStack(ctx: CanvasRenderingContext2D, column: Column, segments: Segment[], width: number, colours: Colours): void {
  for (const { category, y, height } of segments) {
    ctx.fillStyle = category < 0 ? colours.none : (colours.categories[category] ?? colours.none)
    ctx.fillRect(column.x, y, width, height)
  }
  if (column.failed === 0) return
  ctx.fillStyle = colours.fail
  ctx.fillRect(column.x, (segments[0]?.y ?? 64) - 4, Math.max(width, 2), 3)
}

function drawSlices(ctx: CanvasRenderingContext2D, slices: Slice[], top: number, colours: Colours): void {
  for (const { x, width, category, broken } of slices) {
    ctx.fillStyle = colours.categories[category] ?? colours.none
    ctx.fillRect(x, top, width, 64 - top)
    if (!broken) continue
    ctx.fillStyle = colours.fail
    ctx.fillRect(x, top - 4, width, 3)
  }
}

/** A notch cut out of the foot of the column, with a mark below it. */
function notch(ctx: CanvasRenderingContext2D, x: number, colours: Colours): void {
  ctx.fillStyle = colours.page
  triangle(ctx, x, 57, 5, 8)
  ctx.fillStyle = colours.warn
  triangle(ctx, x, 65, 4, 6)
}

function triangle(ctx: CanvasRenderingContext2D, x: number, y: number, half: number, height: number): void {
  ctx.beginPath()
  ctx.moveTo(x, y)
  ctx.lineTo(x + half, y + height)
  ctx.lineTo(x - half, y + height)
  ctx.fill()
}

function drawBreaks(ctx: CanvasRenderingContext2D, scale: Scale, colours: Colours): void {
  ctx.strokeStyle = colours.none
  ctx.lineWidth = 1
  ctx.setLineDash([2, 3])
  for (const x of scale.breaks) {
    ctx.beginPath()
    ctx.moveTo(Math.round(x) + 0.5, 18)
    ctx.lineTo(Math.round(x) + 0.5, 64)
    ctx.stroke()
  }
  ctx.setLineDash([])
}

function drawArcs(ctx: CanvasRenderingContext2D, arcs: Arc[], ribbon: Ribbon, flag: FlagKind | undefined, colours: Colours): void {
  ctx.strokeStyle = colours.warn
  ctx.lineWidth = 1.25
  const loop = ribbon.flagKinds.indexOf('loop')
  for (const { from, to, kind } of arcs) {
    const radius = (to - from) / 2
    const height = Math.min(13, 3 + radius * 0.7)
    ctx.globalAlpha = flag && ribbon.flagKinds[kind] !== flag ? FADED : 1
    ctx.setLineDash(kind === loop ? [] : [3, 2])
    ctx.beginPath()
    ctx.ellipse(from + radius, 16, radius, height, 0, Math.PI, 2 * Math.PI)
    ctx.stroke()
  }
  ctx.setLineDash([])
  ctx.globalAlpha = 1
}

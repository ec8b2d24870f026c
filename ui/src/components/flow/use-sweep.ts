import type { RefObject } from 'react'
import { useEffect, useState } from 'react'
import type { CanvasNode } from './FlowCanvas'
import type { Size, View } from './view'

/** Draws a node without mounting it, in the sheet's own px. */
export type Painter<T extends Record<string, unknown>> = (ctx: CanvasRenderingContext2D, node: CanvasNode<T>) => void

interface Sweep<T extends Record<string, unknown>> {
  canvas: RefObject<HTMLCanvasElement | null>
  nodes: () => CanvasNode<T>[]
  painter: ((el: Element) => Painter<T>) | undefined // made anew for each sweep, since it reads colours
  space: RefObject<Size>
  view: () => View
  land: (view: View) => void // makes the sheet itself stand where the sweep has come to
  onSight: ((top: number, bottom: number) => void) | undefined
}

const REST_MS = 120 // without a step: whoever sweeps has found what they look for

/**
 * Runs through a sheet faster than its nodes could be mounted: a canvas above it shows where one is, and the sheet
 * follows when the sweep rests or ends.
 */
export function useSweep<T extends Record<string, unknown>>(sweep: Sweep<T>): Sweeper<T> {
  const [sweeper] = useState(() => new Sweeper<T>())
  useEffect(() => sweeper.know(sweep))
  useEffect(() => sweeper.stop, [sweeper])
  return sweeper
}

class Sweeper<T extends Record<string, unknown>> {
  private sweep: Sweep<T> | undefined
  private painter: Painter<T> | undefined
  private to: View | undefined
  private rests: ReturnType<typeof setTimeout> | undefined

  know(sweep: Sweep<T>): void {
    this.sweep = sweep
  }

  /** Shows the height y of the sheet in the middle. */
  step = (y: number): void => {
    if (!this.sweep) return
    const { canvas, space, view, onSight, painter } = this.sweep
    const { zoom, x } = view()
    const { width, height } = space.current
    this.to = { zoom, x, y: height / 2 - y * zoom }
    clearTimeout(this.rests)
    this.rests = setTimeout(this.rest, REST_MS)
    const el = canvas.current
    if (!el || !painter) return
    this.painter ??= this.begin(el, painter, width, height)
    const top = -this.to.y / zoom
    const bottom = top + height / zoom
    this.draw(el, this.to, top, bottom)
    onSight?.(top, bottom)
  }

  rest = (): void => {
    clearTimeout(this.rests)
    if (!this.to) return
    this.sweep?.land(this.to)
    this.to = this.painter = undefined
    // The canvas goes when what it stood for is painted.
    requestAnimationFrame(() => requestAnimationFrame(() => this.painter === undefined && this.hide(true)))
  }

  stop = (): void => clearTimeout(this.rests)

  private hide(hidden: boolean): void {
    if (this.sweep?.canvas.current) this.sweep.canvas.current.hidden = hidden
  }

  private begin(el: HTMLCanvasElement, painter: (el: Element) => Painter<T>, width: number, height: number): Painter<T> {
    el.width = Math.round(width * devicePixelRatio)
    el.height = Math.round(height * devicePixelRatio)
    this.hide(false)
    return painter(el)
  }

  private draw(el: HTMLCanvasElement, view: View, top: number, bottom: number): void {
    const ctx = el.getContext('2d')
    if (!ctx || !this.painter) return
    const scale = view.zoom * devicePixelRatio
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.clearRect(0, 0, el.width, el.height)
    ctx.setTransform(scale, 0, 0, scale, view.x * devicePixelRatio, view.y * devicePixelRatio)
    for (const node of this.sweep?.nodes() ?? []) if (node.y < bottom && node.y + node.height > top) this.painter(ctx, node)
  }
}

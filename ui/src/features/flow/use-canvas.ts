import type { RefObject } from 'react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Ribbon } from '@/api/flow'
import type { FlagKind } from '@/api/types'
import { usePixelRatio } from '@/hooks/use-pixel-ratio'
import { resolveTheme, usePrefs } from '@/lib/prefs'
import { coloursOf, drawRibbon } from './components/draw'
import type { Scale } from './ribbon'
import { RIBBON_PX, arcsOf, columnsOf } from './ribbon'

/** The canvas of the ribbon, with one pixel per pixel of the screen; drawn in the frame in which its data came. */
export function useCanvas(ribbon: Ribbon, scale: Scale, flag: FlagKind | undefined): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null)
  const ratio = usePixelRatio()
  const theme = resolveTheme(usePrefs().theme)
  const columns = useMemo(() => columnsOf(ribbon, scale), [ribbon, scale])
  const arcs = useMemo(() => arcsOf(ribbon, scale), [ribbon, scale])
  useLayoutEffect(() => {
    const el = canvas.current
    const ctx = el?.getContext('2d')
    if (!el || !ctx || scale.width === 0) return
    el.width = Math.round(scale.width * ratio)
    el.height = Math.round(RIBBON_PX * ratio)
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawRibbon(ctx, { ribbon, scale, columns, arcs, flag, colours: coloursOf(el, ribbon.categories) })
  }, [ribbon, scale, columns, arcs, flag, ratio, theme])
  return canvas
}

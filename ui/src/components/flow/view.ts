import type { Box } from './layout'

/** Where a sheet stands in its window: px on screen = px of the sheet · zoom + x or y. */
export interface View {
  x: number
  y: number
  zoom: number
}

export interface Size {
  width: number
  height: number
}

export const MIN_ZOOM = 0.25
export const MAX_ZOOM = 1.6
const MARGIN = 24
const LEAST_START_ZOOM = 0.75 // below that, text is for eagles

/** The view that shows a sheet from its top, as wide as it fits and never larger than life. */
export function widthView(sheet: Size, room: Size): View {
  const zoom = Math.max(Math.min(1, (room.width - 2 * MARGIN) / Math.max(1, sheet.width)), LEAST_START_ZOOM)
  return { zoom, x: Math.max(MARGIN, (room.width - sheet.width * zoom) / 2), y: MARGIN }
}

/** The view that shows the whole sheet; of one that is too large for that its width, at the height where it stands. */
export function fitView(sheet: Size, room: Size, now: View): View {
  const zoom = Math.min(1, (room.width - 2 * MARGIN) / Math.max(1, sheet.width), (room.height - 2 * MARGIN) / Math.max(1, sheet.height))
  if (zoom >= MIN_ZOOM) return { zoom, x: (room.width - sheet.width * zoom) / 2, y: Math.max(MARGIN, (room.height - sheet.height * zoom) / 2) }
  const wide = widthView(sheet, room)
  const middle = (room.height / 2 - now.y) / now.zoom
  return { ...wide, y: Math.min(MARGIN, room.height / 2 - middle * wide.zoom) }
}

/** The nearest view that has all of a box in sight. */
export function viewOf(box: Box, view: View, room: Size): View {
  const shift = (at: number, length: number, space: number): number => {
    if (at < MARGIN) return MARGIN - at
    if (at + length > space - MARGIN) return Math.max(space - MARGIN - (at + length), MARGIN - at)
    return 0
  }
  const dx = shift(box.x * view.zoom + view.x, Math.min(box.width * view.zoom, room.width), room.width)
  const dy = shift(box.y * view.zoom + view.y, box.height * view.zoom, room.height)
  return { zoom: view.zoom, x: view.x + dx, y: view.y + dy }
}

/** The heights of the sheet between which it is in sight. */
export function sightOf(view: View, room: Size): [number, number] {
  return [-view.y / view.zoom, (room.height - view.y) / view.zoom]
}

const STEP = 400 // px by which the window of mounted nodes moves

/** The heights between which nodes are mounted: in steps, so that panning mounts now and then and not all the time. */
export function windowOf(view: View, room: Size): [number, number] {
  const [top, bottom] = sightOf(view, room)
  return [(Math.floor(top / STEP) - 1) * STEP, (Math.ceil(bottom / STEP) + 1) * STEP]
}

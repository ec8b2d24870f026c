import type { Text } from '@/api/types'

const encoder = new TextEncoder()

// A shorter text stands whole in its preview, also where masks made it shorter than the log says.
const PREVIEW_BYTES = 360

/** Whether the preview is not the whole text. */
export function isClipped(text: Text): boolean {
  const bytes = text.bytes ?? 0
  return bytes > PREVIEW_BYTES && bytes > text.preview.length && bytes > encoder.encode(text.preview).length
}

export function isEmpty(text: Text | undefined): boolean {
  return !text || (text.preview === '' && !text.bytes)
}

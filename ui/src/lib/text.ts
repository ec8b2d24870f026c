import type { Text } from '@/api/types'

const encoder = new TextEncoder()

/** Whether the preview is not the whole text. */
export function isClipped(text: Text): boolean {
  const bytes = (text.bytes ?? 0) - (text.masked ?? 0)
  return bytes > text.preview.length && bytes > encoder.encode(text.preview).length
}

export function isEmpty(text: Text | undefined): boolean {
  return !text || (text.preview === '' && !text.bytes)
}

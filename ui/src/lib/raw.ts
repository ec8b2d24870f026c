import type { Ref } from '@/api/types'

/** A record of the log in a URL: "<offset>-<length>-<line>"; the line may be missing. */
export function rawOf(ref: Ref): string {
  return [ref.offset, ref.length, ref.line].join('-')
}

export function isRaw(text: unknown): text is string {
  return typeof text === 'string' && /^\d+-\d+(-\d+)?$/.test(text)
}

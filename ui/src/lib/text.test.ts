import { expect, test } from 'vitest'
import { isClipped } from './text'

const ref = { offset: 0, length: 0, line: 0 }

test('a text is clipped if the log has more than its preview', () => {
  expect(isClipped({ preview: 'x'.repeat(360), bytes: 500, ref })).toBe(true)
  expect(isClipped({ preview: 'x'.repeat(359), bytes: 361, ref })).toBe(true) // cut before a character
  expect(isClipped({ preview: 'ä'.repeat(200), bytes: 400, ref })).toBe(false)
  expect(isClipped({ preview: 'whole', bytes: 5, ref })).toBe(false)
  expect(isClipped({ preview: 'empty', ref })).toBe(false)
})

test('masks do not make a text look clipped', () => {
  expect(isClipped({ preview: 'Use «redacted: jwt».', bytes: 300, masked: 278, ref })).toBe(false)
  expect(isClipped({ preview: 'Use «redacted: jwt».', bytes: 301, masked: 278, ref })).toBe(true)
  expect(isClipped({ preview: 'Use «redacted: jwt».', bytes: 12, masked: -10, ref })).toBe(false)
})

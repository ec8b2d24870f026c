import { describe, expect, test } from 'vitest'
import { ago, amount, bytes, compact, duration, elapsed, measured, plural, shortPath, usd } from './format'

// Written with plain spaces below; the functions use no-break ones.
const plain = (s: string) => s.replaceAll('\u00a0', ' ')

describe('format', () => {
  test.each([
    [0, '0'], [999, '999'], [1866, '1,866'], [9999, '9,999'], [12_345, '12.3 k'], [99_949, '99.9 k'], [123_456, '123 k'],
    [999_960, '1.0 M'], [1_234_567, '1.2 M'], [123_456_789, '123 M'], [-12_345, '-12.3 k'],
  ])('compact(%d) is %s', (n, want) => expect(plain(compact(n))).toBe(want))

  test.each([
    [0, '0 ms'], [84, '84 ms'], [100, '0.1 s'], [3700, '3.7 s'], [9960, '10 s'], [48_200, '48 s'], [60_000, '1 m'],
    [134_000, '2 m 14 s'], [3_600_000, '1 h'], [11_520_000, '3 h 12 m'], [187_200_000, '2 d 4 h'], [-1, '—'],
  ])('duration(%d) is %s', (ms, want) => expect(plain(duration(ms))).toBe(want))

  test.each([[999, '0 s'], [59_999, '59 s'], [64_000, '1 m 04 s'], [3_840_000, '1 h 04 m']])(
    'elapsed(%d) is %s',
    (ms, want) => expect(plain(elapsed(ms))).toBe(want),
  )

  test.each([[0, '$0'], [0.0004, '<$0.001'], [0.004, '$0.004'], [0.42, '$0.42'], [3.1, '$3.10']])(
    'usd(%d) is %s',
    (n, want) => expect(usd(n)).toBe(want),
  )

  test('a measure shows how well it is known', () => {
    expect(plain(measured({ value: 12_300, quality: 'exact' }))).toBe('12.3 k')
    expect(plain(measured({ value: 12_300, quality: 'partial' }))).toBe('≥ 12.3 k')
    expect(measured({ value: 0, quality: 'unknown' })).toBe('—')
    expect(measured(undefined)).toBe('—')
    expect(measured({ value: 0, quality: 'partial' })).toBe('—')
    expect(measured({ value: 0, quality: 'exact' })).toBe('0')
    expect(measured({ value: 1.5, quality: 'exact' }, usd)).toBe('$1.50')
  })

  test('amounts, bytes, plurals and paths', () => {
    expect(amount(6)).toBe('6')
    expect(amount(0.333)).toBe('0.33')
    expect(plain(bytes(512))).toBe('512 B')
    expect(plain(bytes(1_234))).toBe('1.2 kB')
    expect(plain(bytes(1_020_000_000))).toBe('1.0 GB')
    expect(plain(plural(1, 'call'))).toBe('1 call')
    expect(plain(plural(2, 'reply', 'replies'))).toBe('2 replies')
    expect(shortPath('/home/dev/work/app')).toBe('…/work/app')
    expect(shortPath('/app')).toBe('/app')
  })

  test.each([[2, 'now'], [12, '12 s ago'], [180, '3 m ago'], [18_000, '5 h ago'], [200_000, '2 d ago']])(
    '%d seconds before is %s',
    (s, want) => {
      const now = Date.UTC(2026, 10, 30, 12)
      expect(plain(ago(now - s * 1000, now))).toBe(want)
    },
  )

  test('longer ago is a date, and no time is unknown', () => {
    const now = Date.UTC(2026, 10, 30, 12)
    expect(ago(Date.UTC(2026, 10, 14, 12), now)).toBe('14 Nov')
    expect(ago(Date.UTC(2025, 10, 14, 12), now)).toBe('14 Nov 2025')
    expect(ago(0, now)).toBe('—')
  })
})

import { expect, test } from 'vitest'
import { cutTokens, isMasked, piecesOf, rulesOf } from './masks'
import { printable } from './printable'

const masked = 'curl -H «redacted: github-pat» «redacted: jwt»'

test('a text is cut at its masks, and nothing is lost', () => {
  expect(piecesOf(masked)).toEqual([{ text: 'curl -H ' }, { text: '«redacted: github-pat»', rule: 'github-pat' }, { text: ' ' }, { text: '«redacted: jwt»', rule: 'jwt' }])
  for (const text of ['', 'plain', '«redacted: ', '«redacted: x\ny»', masked + '«redacted: jwt»end']) {
    expect(piecesOf(text).map((p) => p.text).join('')).toBe(text)
  }
  expect(isMasked('«quoted»')).toBe(false)
})

test('rules are counted', () => {
  expect([...rulesOf(masked + '«redacted: jwt»')]).toEqual([['github-pat', 1], ['jwt', 2]])
})

test('tokens that lie across a mask are cut, and keep their colours', () => {
  const line = [{ text: 'a «red', color: '1' }, { text: 'acted', color: '2' }, { text: ': jwt» b', color: '3' }]
  expect(cutTokens(line)).toEqual([
    { text: 'a ', color: '1' },
    { text: '«redacted: jwt»', color: '1', rule: 'jwt' },
    { text: ' b', color: '3' },
  ])
  const plain = [{ text: 'a', color: '1' }]
  expect(cutTokens(plain)).toBe(plain)
})

test('what would hide or reorder characters is spelled out', () => {
  expect(printable('\u001b[1;31mred\u001b[0m \u001b]52;c;eA==\u0007ok')).toBe('red ok')
  expect(printable('a\u001bc\u0008b')).toBe('a⟨U+001B⟩c⟨U+0008⟩b')
  expect(printable('rm \u202Egpj.exe\u202C \u2066x\u2069')).toBe('rm ⟨U+202E⟩gpj.exe⟨U+202C⟩ ⟨U+2066⟩x⟨U+2069⟩')
  expect(printable('ok\u{E0052}\uFEFF')).toBe('ok⟨U+E0052⟩⟨U+FEFF⟩')
  const words = 'Grüße, 世界, سلام,\tline\r\n👩‍💻'
  expect(printable(words)).toBe(words)
})

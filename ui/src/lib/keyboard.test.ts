import { expect, test } from 'vitest'
import { actionOf, isTyping, shortcuts } from './keyboard'

const press = (key: string, more = {}) => actionOf({ key, metaKey: false, ctrlKey: false, altKey: false, ...more })

test('keys mean actions', () => {
  expect(press('j')).toBe('nextTurn')
  expect(press('ArrowUp')).toBe('previousTurn')
  expect(press('G')).toBe('lastRow')
  expect(press('k', { metaKey: true })).toBe('palette')
  expect(press('K', { ctrlKey: true })).toBe('palette')
})

test('the browser keeps its own keys', () => {
  expect(press('t', { ctrlKey: true })).toBeUndefined()
  expect(press('f', { metaKey: true })).toBeUndefined()
  expect(press('ArrowUp', { altKey: true })).toBeUndefined()
  expect(press('x')).toBeUndefined()
})

test('no key means two things', () => {
  const all = shortcuts.flatMap((s) => s.keys)
  expect(new Set(all).size).toBe(all.length)
})

test('typing is left alone', () => {
  expect(isTyping(document.createElement('input'))).toBe(true)
  expect(isTyping(document.createElement('button'))).toBe(false)
  expect(isTyping(null)).toBe(false)
})

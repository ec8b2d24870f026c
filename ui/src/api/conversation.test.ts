import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from './client'
import type { ConversationWindow } from './conversation'
import { catchUp, newestWindow, openWindow, reconcile, refreshConversation, withNewer, withOlder } from './conversation'
import { keys } from './keys'
import type { ConversationMessage, ConversationPage } from './types'

const LAST = 40
// A log of 40 lines with a message on every one; pages are cut by lines as the daemon cuts them.
let last = LAST
let generation = 0
const said = (line: number): ConversationMessage => ({ id: `line:${line}`, line, type: 'user', kind: 'prompt', at: line, turn: 0, content: [] })

function page(first: number, end: number, more: boolean): ConversationPage {
  const messages = Array.from({ length: Math.max(0, end - first + 1) }, (_, i) => said(first + i))
  return { messages, first_line: first, last_line: end, has_more: more, total: last, skipped: 0, generation }
}

function serve(): void {
  vi.spyOn(api, 'conversation').mockImplementation((_, { limit, after, before }) => {
    if (after !== undefined) {
      const end = Math.min(after + limit, last)
      return Promise.resolve(page(after + 1, Math.max(end, after), end < last))
    }
    const end = (before ?? last + 1) - 1
    const first = Math.max(1, end - limit + 1)
    return Promise.resolve(page(first, end, first > 1))
  })
}

afterEach(() => {
  last = LAST
  generation = 0
})

const lines = (w: ConversationWindow) => w.messages.map((m) => m.line)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('pages lie side by side: nothing twice, nothing left out', async () => {
  serve()
  let w = newestWindow(page(31, 40, true))
  w = withOlder(w, page(21, 30, true), 31)
  w = withOlder(w, page(1, 20, false), 21)
  expect(lines(w)).toEqual(range(1, 40))
  expect(w).toMatchObject({ firstLine: 1, lastLine: 40, hasOlder: false, hasNewer: false })
  last = 45
  expect(lines(await catchUp('s', w))).toEqual(range(1, 45))
})

test('an answer that came twice changes nothing', () => {
  const w = withOlder(newestWindow(page(31, 40, true)), page(21, 30, true), 31)
  expect(withOlder(w, page(21, 30, true), 31)).toBe(w)
  const more = withNewer(w, page(41, 45, false), 40)
  expect(withNewer(more, page(41, 45, false), 40)).toBe(more)
})

test('around a line there is something above it and below it', async () => {
  serve()
  last = 200
  const w = await openWindow('s', 100)
  expect(lines(w)).toEqual(range(75, 149))
  expect(w).toMatchObject({ firstLine: 75, lastLine: 149, hasOlder: true, hasNewer: true })
  expect(lines(await openWindow('s', 1))).toEqual(range(1, 50))
})

test('a window that does not reach the end is left alone', async () => {
  serve()
  const w = { ...newestWindow(page(1, 10, false)), hasNewer: true }
  expect(await catchUp('s', w)).toBe(w)
})

test('who was away for very long starts again at the newest', async () => {
  serve()
  const w = newestWindow(page(1, 40, false))
  last = 5000
  const now = await catchUp('s', w)
  expect(now.lastLine).toBe(5000)
  expect(now.messages).toHaveLength(50)
  expect(now.hasOlder).toBe(true)
})

test('older messages that came in meanwhile stay', async () => {
  serve()
  const client = new QueryClient()
  const before = newestWindow(page(31, 40, true))
  client.setQueryData(keys.conversation('s'), before)
  last = 42
  const refreshing = refreshConversation(client, 's')
  client.setQueryData(keys.conversation('s'), withOlder(before, page(21, 30, true), 31))
  await refreshing
  const w = client.getQueryData<ConversationWindow>(keys.conversation('s'))!
  expect(lines(w)).toEqual(range(21, 42))
  expect(w.firstLine).toBe(21)
})

test('a jump elsewhere meanwhile is not undone', () => {
  const before = newestWindow(page(31, 40, true))
  const elsewhere = { ...newestWindow(page(1, 10, false)), hasNewer: true }
  expect(reconcile(elsewhere, before, withNewer(before, page(41, 42, false), 40))).toBe(elsewhere)
})

test('of a log that was written anew nothing that was known is kept', async () => {
  serve()
  const w = newestWindow(page(31, 40, true))
  const further = { ...newestWindow(page(1, 10, false)), hasNewer: true }
  last = 3
  expect(await catchUp('s', w)).toMatchObject({ lastLine: 40 }) // the daemon has not seen it yet
  generation = 1
  for (const before of [w, further]) {
    const now = await catchUp('s', before)
    expect(lines(now)).toEqual([1, 2, 3])
    expect(now).toMatchObject({ generation: 1, hasNewer: false })
    expect(reconcile(withOlder(before, { ...page(21, 30, true), generation: 0 }, before.firstLine), before, now)).toBe(now)
    expect(reconcile(now, before, before)).toBe(now)
  }
})

test('unreadable lines are counted over all pages', () => {
  const w = withNewer({ ...newestWindow(page(31, 40, true)), skipped: 1 }, { ...page(41, 45, false), skipped: 2 }, 40)
  expect(w.skipped).toBe(3)
})

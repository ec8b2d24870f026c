import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from './client'
import { keys } from './keys'
import type { Message, Turn, TurnPage } from './types'
import { mergeTurns, Updates } from './updates'

const turn = (index: number, key = 'old') => ({ index, key }) as Turn
const page = (...turns: Turn[]): TurnPage => ({ turns, total: turns.length })
const message = (type: Message['type'], more: Partial<Message> = {}): Message => ({ type, revision: 1, ...more })

let client: QueryClient
beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient()
})
afterEach(() => vi.useRealTimers())

const stale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated

test('fresh rows take their places', () => {
  const merged = mergeTurns(page(turn(0), turn(1)), { turns: [turn(1, 'new'), turn(2, 'new')], total: 3 })
  expect(merged.turns.map((t) => `${t.index}${t.key}`)).toEqual(['0old', '1new', '2new'])
  expect(merged.total).toBe(3)
})

test('a burst of one turn asks for its row once', async () => {
  const turns = vi.spyOn(api, 'turns').mockResolvedValue({ turns: [turn(1, 'new')], total: 2 })
  client.setQueryData(keys.turns('a:1', {}), page(turn(0), turn(1)))
  const updates = new Updates(client)
  for (let i = 0; i < 50; i++) updates.receive(message('turn.tool_call', { session: 'a:1', turn: 1, call: i }))
  await vi.advanceTimersByTimeAsync(200)
  expect(turns).toHaveBeenCalledExactlyOnceWith('a:1', { from: 1, limit: 1 })
  expect(client.getQueryData<TurnPage>(keys.turns('a:1', {}))?.turns[1]?.key).toBe('new')
})

test('a filtered list is asked for again, another session is not', async () => {
  vi.spyOn(api, 'turns').mockResolvedValue({ turns: [turn(0)], total: 1 })
  const filtered = keys.turns('a:1', { text: 'x' })
  client.setQueryData(filtered, page())
  client.setQueryData(keys.session('a:1'), {})
  client.setQueryData(keys.session('a:2'), {})
  new Updates(client).receive(message('turn.updated', { session: 'a:1', turn: 0 }))
  await vi.advanceTimersByTimeAsync(200)
  expect(stale(filtered)).toBe(true)
  expect(stale(keys.session('a:1'))).toBe(true)
  expect(stale(keys.session('a:2'))).toBe(false)
})

test('a list that missed rows is asked for again', async () => {
  vi.spyOn(api, 'turns').mockResolvedValue({ turns: [turn(5)], total: 6 })
  const plain = keys.turns('a:1', {})
  client.setQueryData(plain, page(turn(0)))
  new Updates(client).receive(message('turn.started', { session: 'a:1', turn: 5 }))
  await vi.advanceTimersByTimeAsync(200)
  expect(stale(plain)).toBe(true)
})

test('sums over many sessions are asked for again once in a while, comparisons of others not at all', async () => {
  const queries = [keys.insights({}), keys.compare({ a: 'a:1', b: 'a:9' }), keys.compare({ a: 'a:2', b: 'a:3' }), keys.compare({ groupA: 'repo:x', groupB: 'repo:y' })]
  const olds = () => queries.map(stale)
  for (const key of queries) client.setQueryData(key, {})
  const updates = new Updates(client)
  updates.receive(message('session.updated', { session: 'a:1~kid' }))
  await vi.advanceTimersByTimeAsync(2500)
  updates.receive(message('session.updated', { session: 'a:1' }))
  expect(olds()).toEqual([false, false, false, false])
  await vi.advanceTimersByTimeAsync(600)
  expect(olds()).toEqual([true, true, false, true])
  for (const key of queries) client.setQueryData(key, {})
  await vi.advanceTimersByTimeAsync(60_000)
  expect(olds()).toEqual([false, false, false, false])
})

test('a label is seen at once wherever labels are, and no conversation is asked for again', () => {
  const shown = [keys.labels, keys.sessions({}), keys.session('a:1'), keys.insights({}), keys.compare({ a: 'a:2', b: 'a:3' })]
  for (const key of [...shown, keys.conversation('a:1')]) client.setQueryData(key, {})
  new Updates(client).receive(message('session.labels', { session: 'a:1' }))
  expect(shown.map(stale)).toEqual(shown.map(() => true))
  expect(stale(keys.conversation('a:1'))).toBe(false)
})

test('a resync makes everything stale at once', () => {
  client.setQueryData(keys.health, {})
  client.setQueryData(keys.session('a:1'), {})
  new Updates(client).receive(message('resync'))
  expect(stale(keys.health)).toBe(true)
  expect(stale(keys.session('a:1'))).toBe(true)
})

test('progress goes straight into health', () => {
  client.setQueryData(keys.health, { ready: false, version: '1' })
  const progress = { ready: false, streams: 412, streamsTotal: 1866, bytes: 1, bytesTotal: 2, etaMs: { value: 1, quality: 'exact' as const } }
  new Updates(client).receive(message('progress', { progress }))
  expect(client.getQueryData(keys.health)).toMatchObject({ version: '1', progress: { streams: 412 } })
})

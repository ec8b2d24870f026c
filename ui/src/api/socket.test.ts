import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Socket } from './socket'
import type { Message } from './types'

class FakeWebSocket {
  static OPEN = 1
  static all: FakeWebSocket[] = []
  readyState = 0
  sent: string[] = []
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onclose?: () => void
  readonly url: string

  constructor(url: string) {
    this.url = url
    FakeWebSocket.all.push(this)
  }
  send(data: string): void {
    this.sent.push(data)
  }
  close(): void {
    this.drop()
  }
  accept(): void {
    this.readyState = 1
    this.onopen?.()
  }
  drop(): void {
    this.readyState = 3
    this.onclose?.()
  }
  say(message: Partial<Message>): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

const last = () => FakeWebSocket.all.at(-1)!
let got: Message[]
let socket: Socket

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeWebSocket)
  FakeWebSocket.all = []
  got = []
  socket = new Socket((m) => got.push(m))
})
afterEach(() => {
  socket.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('it subscribes, and asks for what it missed after a reconnect', () => {
  socket.subscribe('a:1')
  socket.open()
  last().accept()
  expect(JSON.parse(last().sent[0]!)).toEqual({ type: 'subscribe', session: 'a:1', raw: false })
  last().say({ type: 'turn.updated', revision: 42, session: 'a:1', turn: 0 })
  last().drop()
  expect(socket.connection()).toMatchObject({ status: 'waiting', attempt: 1 })
  vi.advanceTimersByTime(500)
  expect(FakeWebSocket.all).toHaveLength(2)
  expect(new URL(last().url).search).toBe('?session=a%3A1&since=42')
  last().accept()
  expect(socket.connection()).toEqual({ status: 'open' })
})

test('a connection that ends before its hello makes the next hello a resync', () => {
  socket.open()
  last().accept()
  last().drop()
  vi.advanceTimersByTime(500)
  last().accept()
  last().say({ type: 'hello', revision: 7 })
  expect(got).toMatchObject([{ type: 'resync', revision: 7 }])
  last().drop()
  vi.advanceTimersByTime(500)
  last().say({ type: 'hello', revision: 8 })
  expect(got.at(-1)).toMatchObject({ type: 'hello', revision: 8 })
})

test('it waits longer each time and no longer than 15 s', () => {
  socket.open()
  const waits = Array.from({ length: 8 }, () => {
    last().drop()
    const state = socket.connection()
    const wait = state.status === 'waiting' ? state.retryAt - Date.now() : -1
    vi.advanceTimersByTime(wait)
    return wait
  })
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000])
})

test('a daemon that counts from the start again means resync', () => {
  socket.open()
  last().accept()
  last().say({ type: 'session.updated', revision: 900 })
  last().say({ type: 'hello', revision: 3 })
  expect(got.map((m) => m.type)).toEqual(['session.updated', 'resync'])
  last().say({ type: 'session.updated', revision: 4 })
  last().drop()
  vi.advanceTimersByTime(500)
  expect(new URL(last().url).searchParams.get('since')).toBe('4')
})

test('what is not a message is left alone', () => {
  socket.open()
  last().accept()
  last().onmessage?.({ data: 'not json' })
  expect(got).toEqual([])
})

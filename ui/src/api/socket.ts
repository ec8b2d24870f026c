import type { Message } from './types'

export type Connection =
  | { status: 'connecting' }
  | { status: 'open' }
  | { status: 'waiting'; retryAt: number; attempt: number }

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 15_000

/**
 * The page's one WebSocket. It reconnects by itself and asks for what it missed by the last revision it saw; the
 * daemon answers with the missed messages or with `resync`.
 */
export class Socket {
  private ws: WebSocket | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private attempt = 0
  private revision = 0
  private missed = false // a connection ended before its hello: nobody knows from which revision on
  private session: string | null = null
  private state: Connection = { status: 'connecting' }
  private readonly watchers = new Set<() => void>()
  private readonly onMessage: (message: Message) => void

  constructor(onMessage: (message: Message) => void) {
    this.onMessage = onMessage
  }

  connection = (): Connection => this.state

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  subscribe(session: string | null): void {
    this.session = session
    this.sendSubscription()
  }

  /** Connects now; a second call while connected or connecting does nothing. */
  open = (): void => {
    if (this.ws) return
    clearTimeout(this.timer)
    this.set({ status: 'connecting' })
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const query = new URLSearchParams()
    // The session stands in the URL too, so that its messages are among those that are repeated.
    if (this.session) query.set('session', this.session)
    if (this.revision > 0) query.set('since', String(this.revision))
    const ws = new WebSocket(`${scheme}://${location.host}/ws?${query}`)
    this.ws = ws
    ws.onopen = () => {
      this.attempt = 0
      this.set({ status: 'open' })
      this.sendSubscription()
    }
    ws.onmessage = (event) => this.receive(String(event.data))
    ws.onclose = () => {
      if (this.ws !== ws) return
      this.ws = undefined
      this.missed ||= this.revision === 0
      this.retryLater()
    }
  }

  close(): void {
    clearTimeout(this.timer)
    const ws = this.ws
    this.ws = undefined
    ws?.close()
  }

  private receive(data: string): void {
    let message: Message
    try {
      message = JSON.parse(data) as Message
    } catch {
      return // not ours: a proxy's or a newer daemon's frame
    }
    if (message.type === 'hello') {
      // A restarted daemon with an emptied store counts from the start again.
      if (this.missed || message.revision < this.revision) message = { ...message, type: 'resync' }
      this.missed = false
    }
    this.revision = message.type === 'resync' ? message.revision : Math.max(this.revision, message.revision)
    this.onMessage(message)
  }

  private sendSubscription(): void {
    if (this.ws?.readyState !== WebSocket.OPEN) return
    this.ws.send(JSON.stringify({ type: 'subscribe', session: this.session, raw: false }))
  }

  private retryLater(): void {
    this.attempt += 1
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.attempt - 1))
    this.set({ status: 'waiting', retryAt: Date.now() + delay, attempt: this.attempt })
    this.timer = setTimeout(this.open, delay)
  }

  private set(state: Connection): void {
    this.state = state
    for (const watcher of this.watchers) watcher()
  }
}

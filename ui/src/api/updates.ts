import type { QueryClient } from '@tanstack/react-query'
import type { CompareQuery, TurnFilter } from './client'
import { api } from './client'
import { refreshConversation } from './conversation'
import { mergeRibbon } from './flow'
import type { Ribbon } from './flow'
import { keys } from './keys'
import { receiveRunning } from './running'
import type { Health, Message, Turn, TurnPage } from './types'

const BATCH_MS = 80
// Numbers over many sessions need not tick: they are asked for again this long after the first change, at most so often.
const SUMS_MS = 3000

/** Rows of page with those of fresh put in their places; both are in ascending order of index. */
export function mergeTurns(page: TurnPage, fresh: TurnPage): TurnPage {
  const byIndex = new Map(page.turns.map((turn) => [turn.index, turn]))
  for (const turn of fresh.turns) byIndex.set(turn.index, turn)
  const turns: Turn[] = [...byIndex.values()].sort((a, b) => a.index - b.index)
  return { turns, total: fresh.total }
}

function isPlain(filter: unknown): boolean {
  return Object.values((filter ?? {}) as TurnFilter).every((v) => v === undefined || v === '' || v === false)
}

/** The session at the top of the tree that a session belongs to. */
function rootOf(id: string): string {
  return id.split('~', 1)[0]!
}

/**
 * Translates WebSocket messages to changes of the query cache. Messages of one burst are taken together, so that an
 * agent that writes 1,000 lines a second costs the page twelve small requests a second and not 1,000.
 */
export class Updates {
  private readonly client: QueryClient
  private readonly sessions = new Set<string>()
  private readonly turns = new Map<string, Set<number>>()
  private lists = false
  private health = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly summed = new Set<string>() // roots whose sums are old
  private sumsTimer: ReturnType<typeof setTimeout> | undefined
  private patching: Promise<void> = Promise.resolve()
  private conversations: Promise<void> = Promise.resolve()
  private readonly waiting = new Set<string>()

  constructor(client: QueryClient) {
    this.client = client
  }

  receive = (message: Message): void => {
    switch (message.type) {
      case 'resync':
        void this.client.invalidateQueries()
        return
      case 'hello': // what ran while nobody listened is not repeated
        void this.client.invalidateQueries({ queryKey: keys.runningTools })
        return
      case 'log.raw':
      case 'hook.received':
        return
      case 'running_tools.updated':
        receiveRunning(this.client, message) // at once: a chip that comes with the burst may show what is over
        return
      case 'session.labels':
        this.receiveLabels(message)
        return
      case 'progress':
        this.receiveProgress(message)
        return
      case 'attached':
      case 'detached':
      case 'auto_attach.waiting':
      case 'auto_attach.state':
        this.health = true
        break
      default:
        this.receiveChange(message)
    }
    this.timer ??= setTimeout(this.flush, BATCH_MS)
  }

  /** Labels are given by hand and seldom: whoever gave one looks for it at once. */
  private receiveLabels({ session }: Message): void {
    for (const queryKey of [keys.labels, keys.sessionLists, keys.allInsights, keys.comparisons]) void this.client.invalidateQueries({ queryKey })
    if (session) void this.client.invalidateQueries({ queryKey: keys.session(session) })
  }

  private flushSums = (): void => {
    this.sumsTimer = undefined
    void this.client.invalidateQueries({ queryKey: keys.allInsights })
    void this.client.invalidateQueries({
      queryKey: keys.comparisons,
      predicate: ({ queryKey }) => {
        const { a, b } = (queryKey[1] ?? {}) as CompareQuery
        // Which sessions belong to a group, only the daemon knows.
        return a === undefined || [a, b ?? a].some((id) => this.summed.has(rootOf(id)))
      },
    })
    this.summed.clear()
  }

  private receiveProgress(message: Message): void {
    const progress = message.progress
    if (!progress) return
    this.client.setQueryData<Health>(keys.health, (old) => old && { ...old, progress, ready: progress.ready })
    if (progress.ready) void this.client.invalidateQueries({ queryKey: keys.health })
  }

  private receiveChange(message: Message): void {
    if (!message.session) return
    this.sessions.add(message.session)
    this.summed.add(rootOf(message.session))
    this.sumsTimer ??= setTimeout(this.flushSums, SUMS_MS)
    if (message.type.startsWith('session.')) this.lists = true
    if (message.turn === undefined) return
    const turns = this.turns.get(message.session) ?? new Set<number>()
    this.turns.set(message.session, turns.add(message.turn))
  }

  private flush = (): void => {
    this.timer = undefined
    const { client } = this
    if (this.health) void client.invalidateQueries({ queryKey: keys.health })
    if (this.lists) void client.invalidateQueries({ queryKey: keys.sessionLists })
    for (const id of this.sessions) {
      void client.invalidateQueries({ queryKey: keys.session(id) })
      void client.invalidateQueries({ queryKey: keys.series(id) })
      this.continueConversation(id)
    }
    for (const [id, turns] of this.turns) this.refreshTurns(id, [...turns])
    this.health = this.lists = false
    this.sessions.clear()
    this.turns.clear()
  }

  private refreshTurns(id: string, indexes: number[]): void {
    for (const index of indexes) {
      void this.client.invalidateQueries({ queryKey: keys.turnParts(id, index) })
      void this.client.invalidateQueries({ queryKey: keys.flow(id, index), exact: true })
    }
    // A sub-agent's turns are drawn under a turn of whoever called it; which one, only the daemon knows.
    for (let at = id.lastIndexOf('~'); at > 0; at = id.lastIndexOf('~', at - 1)) {
      void this.client.invalidateQueries({ queryKey: keys.flows(id.slice(0, at)) })
    }
    void this.client.invalidateQueries({ queryKey: keys.calls(id) })
    void this.client.invalidateQueries({
      queryKey: keys.turnLists(id),
      predicate: (query) => !isPlain(query.queryKey[2]),
    })
    // One after the other, so that an older answer never replaces a newer one.
    const from = Math.min(...indexes)
    const to = Math.max(...indexes)
    this.patching = this.patching.then(() => this.patchTurns(id, from, to)).then(() => this.patchRibbon(id, from))
  }

  /** Fetches only the rows that changed: a session of 5,000 turns is not sent again for each call. */
  private async patchTurns(id: string, from: number, to: number): Promise<void> {
    const lists = this.client.getQueryCache().findAll({ queryKey: keys.turnLists(id), predicate: (q) => isPlain(q.queryKey[2]) })
    if (lists.length === 0) return
    try {
      const fresh = await api.turns(id, { from, limit: to - from + 1 })
      for (const list of lists) {
        const page = this.client.setQueryData<TurnPage>(list.queryKey, (old) => old && mergeTurns(old, fresh))
        // Not loaded yet, or rows were missed: ask for all of them.
        if (page?.turns.length !== fresh.total) void this.client.invalidateQueries({ queryKey: list.queryKey, exact: true })
      }
    } catch {
      void this.client.invalidateQueries({ queryKey: keys.turnLists(id) })
    }
  }

  /** One request at a time; what is written during one is asked for by one more. */
  private continueConversation(id: string): void {
    if (this.waiting.has(id)) return
    this.waiting.add(id)
    void this.client.invalidateQueries({ queryKey: keys.transcripts(rootOf(id)) })
    this.conversations = this.conversations
      .then(() => {
        this.waiting.delete(id)
        return refreshConversation(this.client, id)
      })
      .catch(() => void this.client.invalidateQueries({ queryKey: keys.conversation(id) }))
  }

  private async patchRibbon(id: string, from: number): Promise<void> {
    const key = keys.ribbon(id)
    if (!this.client.getQueryData(key)) return
    try {
      const fresh = await api.ribbon(id, from)
      const ribbon = this.client.setQueryData<Ribbon>(key, (old) => old && mergeRibbon(old, fresh))
      if (ribbon?.turns.length !== fresh.turnCount) void this.client.invalidateQueries({ queryKey: key })
    } catch {
      void this.client.invalidateQueries({ queryKey: key })
    }
  }
}

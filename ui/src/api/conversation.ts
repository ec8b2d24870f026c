import type { QueryClient } from '@tanstack/react-query'
import { api } from './client'
import { keys } from './keys'
import type { ConversationMessage, ConversationPage } from './types'

/**
 * A piece of a conversation without gaps: what the lines firstLine to lastLine of the log say. It grows at both ends,
 * page by page, and each page begins where the one before it ended.
 */
export interface ConversationWindow {
  messages: ConversationMessage[] // as they came, ascending by line
  firstLine: number
  lastLine: number
  hasOlder: boolean
  hasNewer: boolean // known to be there and not loaded: the window does not reach the end
  total: number // prompts and responses of the session
  skipped: number // unreadable lines in the window
  generation: number // of the log; when the agent writes it anew, its lines are other lines
}

export const PAGE = 50
const CATCH_UP_PAGE = 200
// Who was away for longer than this many messages starts again at the newest instead of reading through all of them.
const MOST_CATCH_UP_PAGES = 5

export function newestWindow(page: ConversationPage): ConversationWindow {
  return { ...ends(page), hasOlder: page.has_more, hasNewer: false }
}

/** The window that begins with a page that was asked for with `after`. */
export function windowAfter(page: ConversationPage, line: number): ConversationWindow {
  return { ...ends(page), hasOlder: line > 0, hasNewer: page.has_more }
}

function ends(page: ConversationPage): Omit<ConversationWindow, 'hasOlder' | 'hasNewer'> {
  return { messages: page.messages, firstLine: page.first_line, lastLine: page.last_line, total: page.total, skipped: page.skipped, generation: page.generation }
}

/** The window with the page before its first line; a page that is not its neighbour (asked for twice) changes nothing. */
export function withOlder(w: ConversationWindow, page: ConversationPage, before: number): ConversationWindow {
  if (before !== w.firstLine) return w
  const empty = page.messages.length === 0 && !page.has_more
  return {
    ...w,
    messages: join(page.messages, w.messages),
    firstLine: empty ? w.firstLine : Math.min(page.first_line, w.firstLine),
    hasOlder: page.has_more,
    total: Math.max(w.total, page.total),
    skipped: w.skipped + page.skipped,
  }
}

/** The window with the page behind its last line; a page that is not its neighbour (asked for twice) changes nothing. */
export function withNewer(w: ConversationWindow, page: ConversationPage, after: number): ConversationWindow {
  if (after !== w.lastLine) return w
  return {
    ...w,
    messages: join(w.messages, page.messages),
    lastLine: Math.max(page.last_line, w.lastLine),
    hasNewer: page.has_more,
    total: Math.max(w.total, page.total),
    skipped: w.skipped + page.skipped,
  }
}

const place = (m: ConversationMessage) => `${m.line} ${m.id}`

function join(older: ConversationMessage[], newer: ConversationMessage[]): ConversationMessage[] {
  if (newer.length === 0) return older
  const known = new Set(older.map(place))
  const fresh = newer.filter((m) => !known.has(place(m)))
  return fresh.length === 0 ? older : [...older, ...fresh]
}

/** The newest messages, or those around a line. */
export async function openWindow(session: string, line: number | undefined, signal?: AbortSignal): Promise<ConversationWindow> {
  if (line === undefined) return newestWindow(await api.conversation(session, { limit: PAGE }, signal))
  const [older, newer] = await Promise.all([
    line > 1 ? api.conversation(session, { limit: PAGE / 2, before: line }, signal) : undefined,
    api.conversation(session, { limit: PAGE, after: line - 1 }, signal),
  ])
  const w = { ...windowAfter(newer, line - 1), firstLine: line }
  return older ? withOlder(w, older, line) : w
}

/**
 * What was written since the window was read. A window that does not reach the end stays as it is; one of a log that was
 * written anew gives way to the newest messages.
 */
export async function catchUp(session: string, w: ConversationWindow, signal?: AbortSignal): Promise<ConversationWindow> {
  if (w.hasNewer) {
    const newest = await api.conversation(session, { limit: 1 }, signal)
    return newest.generation === w.generation ? w : openWindow(session, undefined, signal)
  }
  let now = w
  for (let pages = 0; pages < MOST_CATCH_UP_PAGES; pages++) {
    const after = now.lastLine
    const page = await api.conversation(session, { limit: CATCH_UP_PAGE, after }, signal)
    if (page.generation !== w.generation) break
    now = withNewer(now, page, after)
    if (!now.hasNewer) return now
  }
  return openWindow(session, undefined, signal)
}

/** A window read again, with what else came into the cache while it was on its way. */
export function reconcile(now: ConversationWindow | undefined, before: ConversationWindow, fresh: ConversationWindow): ConversationWindow {
  if (!now || now === before) return fresh
  if (fresh.generation !== now.generation) return fresh.generation > now.generation ? fresh : now
  // The reader jumped elsewhere, or someone else was faster.
  if (now.lastLine !== before.lastLine || now.hasNewer) return now
  if (fresh.firstLine !== before.firstLine) return fresh
  return { ...fresh, messages: join(now.messages, fresh.messages), firstLine: now.firstLine, hasOlder: now.hasOlder, skipped: now.skipped + fresh.skipped - before.skipped }
}

/** Takes what was written into the cache, if the conversation is there. */
export async function refreshConversation(client: QueryClient, session: string): Promise<void> {
  const key = keys.conversation(session)
  const before = client.getQueryData<ConversationWindow>(key)
  if (!before) return
  const fresh = await catchUp(session, before)
  client.setQueryData<ConversationWindow>(key, (now) => now && reconcile(now, before, fresh))
}

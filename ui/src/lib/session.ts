import type { Session } from '@/api/types'
import { plural, shortPath } from './format'

/** What a session is called: its title, else where it ran. */
export function titleOf(session: Pick<Session, 'title' | 'cwd' | 'id' | 'role'>): string {
  if (session.title) return session.title
  if (session.role) return session.role
  return session.cwd ? `Session in ${shortPath(session.cwd)}` : session.id
}

/** Where it ran: repo@branch, else the directory. */
export function placeOfSession(session: Pick<Session, 'repo' | 'branch' | 'cwd'>): string {
  const place = session.repo || shortPath(session.cwd)
  return session.branch ? `${place}@${session.branch}` : place
}

/** How much there is of it: what it did itself, and how many sub-agents it had. */
export function sizeOf(session: Pick<Session, 'totals' | 'children'>): string {
  const { totals, children } = session
  return [plural(totals.turns, 'turn'), plural(totals.calls, 'call'), children.length > 0 && plural(children.length, 'sub-agent')].filter(Boolean).join(' · ')
}

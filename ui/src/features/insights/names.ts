import type { InsightSession } from '@/api/types'
import { titleOf } from '@/lib/session'

/** What a session is called in tables and hovers. */
export function nameOf(s: Pick<InsightSession, 'title' | 'cwd' | 'id'>): string {
  return titleOf({ title: s.title, cwd: s.cwd, id: s.id, role: undefined })
}

import type { CompareQuery, InsightFilter, SessionFilter, TurnFilter } from './client'

/** The names of everything in the query cache. WebSocket messages are translated to these and to nothing else. */
export const keys = {
  health: ['health'] as const,
  flags: ['flags'] as const,
  sessionLists: ['sessions'] as const,
  sessions: (filter: SessionFilter) => ['sessions', 'list', filter] as const,
  liveSessions: ['sessions', 'live'] as const,
  comparisons: ['compare'] as const,
  compare: (query: CompareQuery) => ['compare', query] as const,
  insights: (filter: InsightFilter) => ['insights', filter] as const,
  labels: ['labels'] as const,
  session: (id: string) => ['session', id] as const,
  series: (id: string) => ['series', id] as const,
  ribbon: (id: string) => ['ribbon', id] as const,
  flows: (id: string) => ['flow', id] as const,
  flow: (id: string, turn: number) => ['flow', id, turn] as const,
  transcripts: (id: string) => ['transcripts', id] as const,
  conversation: (id: string) => ['conversation', id] as const,
  fullText: (id: string, turn: number, offset: number, part: string) => ['full-text', id, turn, offset, part] as const,
  turnLists: (id: string) => ['turns', id] as const,
  turns: (id: string, filter: TurnFilter) => ['turns', id, filter] as const,
  turnParts: (id: string, index: number) => ['turn', id, index] as const,
  turn: (id: string, index: number, full: boolean) => ['turn', id, index, full] as const,
  calls: (id: string) => ['call', id] as const,
  call: (id: string, seq: number) => ['call', id, seq] as const,
  raw: (id: string, offset: number, length: number) => ['raw', id, offset, length] as const,
}

import type { CompareQuery } from '@/api/client'

export const modes = ['sessions', 'turns', 'groups'] as const
export type Mode = (typeof modes)[number]

/** The state of the Compare view. Turns are counted from 1, as on screen. Groups are lists of terms, as the API takes them. */
export interface CompareSearch {
  by?: Mode // absent: what the rest asks for
  a?: string
  b?: string
  turnA?: number
  turnB?: number
  groupA?: string
  groupB?: string
}

const text = (v: unknown): string | undefined => (typeof v === 'string' && v !== '' ? v : undefined)
const turn = (v: unknown): number | undefined => {
  const n = typeof v === 'number' ? v : typeof v === 'string' ? Number(v) : NaN
  return Number.isInteger(n) && n >= 1 ? n : undefined
}

/** Takes what it understands from a URL and drops the rest. */
export function validateCompareSearch(raw: Record<string, unknown>): CompareSearch {
  const search: CompareSearch = {
    by: modes.find((m) => m === raw['by']),
    a: text(raw['a']),
    b: text(raw['b']),
    turnA: turn(raw['turnA']),
    turnB: turn(raw['turnB']),
    groupA: text(raw['groupA']),
    groupB: text(raw['groupB']),
  }
  return search // also what is undefined, or the router keeps what the URL says
}

export function modeOf(search: CompareSearch): Mode {
  if (search.by) return search.by
  if (search.groupA ?? search.groupB) return 'groups'
  return (search.turnA ?? search.turnB) ? 'turns' : 'sessions'
}

/** What to ask the daemon; undefined while a side is not chosen. */
export function queryOf(search: CompareSearch, tz: string): CompareQuery | undefined {
  const { a, b, turnA, turnB, groupA, groupB } = search
  switch (modeOf(search)) {
    case 'groups':
      return groupA && groupB ? { groupA, groupB, tz } : undefined
    case 'turns':
      return a && turnA && turnB ? { a, b: b ?? a, turnA: turnA - 1, turnB: turnB - 1 } : undefined
    case 'sessions':
      return a && b ? { a, b } : undefined
  }
}

/** The same pair the other way round. */
export function swapped(search: CompareSearch): CompareSearch {
  const { a, b, turnA, turnB, groupA, groupB } = search
  const turns = modeOf(search) === 'turns'
  return { ...search, a: turns ? (b ?? a) : b, b: a, turnA: turnB, turnB: turnA, groupA: groupB, groupB: groupA }
}

/** The parts of the URL that name the pair, without those that are not chosen. */
export function pairOf(search: CompareSearch): Record<string, string | number> {
  return Object.fromEntries(Object.entries(search).filter(([, v]) => v !== undefined)) as Record<string, string | number>
}

export type SideName = 'a' | 'b'

/** The session and turn of one side. A side of turns without a session of its own is in A's. */
export function sideOf(search: CompareSearch, side: SideName): { session: string | undefined; turn: number | undefined } {
  if (side === 'a') return { session: search.a, turn: search.turnA }
  return { session: search.b ?? (modeOf(search) === 'turns' ? search.a : undefined), turn: search.turnB }
}

/** The sides that are not chosen yet. */
export function missing(search: CompareSearch): SideName[] {
  const mode = modeOf(search)
  return (['a', 'b'] as const).filter((side) => {
    if (mode === 'groups') return !(side === 'a' ? search.groupA : search.groupB)
    const { session, turn } = sideOf(search, side)
    return !session || (mode === 'turns' && !turn)
  })
}

export function termsOf(group: string | undefined): string[] {
  return (group ?? '').split(',').map((t) => t.trim()).filter(Boolean)
}

const filters = ['repo', 'branch', 'label', 'agent', 'model', 'from', 'to'] as const
export type FilterName = (typeof filters)[number]

/** A term in words. Ids have a colon too (agent:own), so only the known names are filters. */
export function termParts(term: string): { filter: FilterName; value: string } | { session: string } {
  const at = term.indexOf(':')
  const filter = filters.find((f) => f === term.slice(0, at))
  return filter ? { filter, value: term.slice(at + 1) } : { session: term }
}

/** A group with a term more; a filter that can hold only once is replaced. */
export function withTerm(group: string | undefined, term: string): string {
  const part = termParts(term)
  const kept = termsOf(group).filter((t) => {
    const other = termParts(t)
    return t !== term && !('filter' in part && 'filter' in other && part.filter === other.filter && part.filter !== 'label')
  })
  return [...kept, term].join(',')
}

export function withoutTerm(group: string | undefined, term: string): string | undefined {
  return termsOf(group).filter((t) => t !== term).join(',') || undefined
}

import type { Session } from '@/api/types'
import { plural } from '@/lib/format'
import { isoDay } from '@/lib/days'
import type { FilterName } from './search'

export interface Suggestion {
  filter: FilterName
  value: string
  term: string
  note: string
}

const MOST = 6 // of one kind, while nothing is typed

type Facet = Pick<Session, 'agent' | 'repo' | 'branch' | 'model'>

function counted(values: (string | undefined)[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const v of values) if (v) counts.set(v, (counts.get(v) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

/** Filters that make a group: what the recent sessions have, the most frequent first, as far as it matches what is typed. */
export function suggest(text: string, sessions: Facet[], labels: string[], now: number): Suggestion[] {
  const of = (filter: FilterName, value: string, note = ''): Suggestion => ({ filter, value, term: `${filter}:${value}`, note })
  const facet = (filter: 'agent' | 'repo' | 'branch' | 'model') =>
    counted(sessions.map((s) => s[filter])).map(([value, n]) => of(filter, value, `${plural(n, 'recent session')}`))
  const day = /^(?:(from|to):?\s*)?(\d{4}-\d{2}-\d{2})$/.exec(text)
  if (day) return (day[1] ? [day[1] as 'from' | 'to'] : (['from', 'to'] as const)).map((f) => of(f, day[2]!, f === 'from' ? 'on this day and later' : 'on this day and earlier'))
  const days = [7, 30].map((n) => of('from', isoDay(now - (n - 1) * 86_400_000), `the last ${n} days`))
  const kinds = [labels.map((l) => of('label', l)), facet('repo'), facet('branch'), facet('agent'), facet('model'), days]
  const wanted = text.toLowerCase()
  if (wanted === '') return kinds.flatMap((k) => k.slice(0, MOST))
  return kinds.flat().filter((s) => s.term.toLowerCase().includes(wanted) || s.note.includes(wanted)).slice(0, 30)
}

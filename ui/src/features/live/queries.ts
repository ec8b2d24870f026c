import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { TurnFilter } from '@/api/client'
import { api } from '@/api/client'
import { keys } from '@/api/keys'
import type { LiveSearch } from './search'

export function turnFilter(search: LiveSearch): TurnFilter {
  return { text: search.text, tool: search.tool, category: search.category, flag: search.flag, errors: search.errors }
}

export const liveQueries = {
  turns: (id: string, filter: TurnFilter) =>
    queryOptions({
      queryKey: keys.turns(id, filter),
      queryFn: ({ signal }) => api.turns(id, filter, signal),
      // While a filter is being typed the old rows stay; another session's rows never do.
      placeholderData: (old, query) => (query?.queryKey[1] === id ? keepPreviousData(old) : undefined),
    }),
  turn: (id: string, index: number, full = false) =>
    queryOptions({
      queryKey: keys.turn(id, index, full),
      queryFn: ({ signal }) => api.turn(id, index, full, signal),
    }),
  call: (id: string, seq: number) =>
    queryOptions({ queryKey: keys.call(id, seq), queryFn: ({ signal }) => api.call(id, seq, signal) }),
}

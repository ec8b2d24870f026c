import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CompareQuery } from '@/api/client'
import { api } from '@/api/client'
import { keys } from '@/api/keys'

// A comparison of live sessions is renewed by itself, as often as one can read it.
const RENEW_MS = 15_000

export const compareQueries = {
  comparison: (query: CompareQuery | undefined) =>
    queryOptions({
      queryKey: keys.compare(query ?? {}),
      queryFn: ({ signal }) => api.compare(query ?? {}, signal),
      enabled: query !== undefined,
      refetchInterval: RENEW_MS,
      placeholderData: keepPreviousData,
    }),
  turns: (id: string) =>
    queryOptions({ queryKey: keys.turns(id, {}), queryFn: ({ signal }) => api.turns(id, {}, signal) }),
  labels: () => queryOptions({ queryKey: keys.labels, queryFn: async ({ signal }) => (await api.labels(signal)).labels }),
}

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CompareQuery } from '@/api/client'
import { api } from '@/api/client'
import { keys } from '@/api/keys'

export const compareQueries = {
  comparison: (query: CompareQuery | undefined) =>
    queryOptions({
      queryKey: keys.compare(query ?? {}),
      queryFn: ({ signal }) => api.compare(query ?? {}, signal),
      enabled: query !== undefined,
      placeholderData: keepPreviousData,
    }),
  turns: (id: string) =>
    queryOptions({ queryKey: keys.turns(id, {}), queryFn: ({ signal }) => api.turns(id, {}, signal) }),
  labels: () => queryOptions({ queryKey: keys.labels, queryFn: async ({ signal }) => (await api.labels(signal)).labels }),
}

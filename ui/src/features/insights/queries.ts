import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InsightFilter } from '@/api/client'
import { api } from '@/api/client'
import { keys } from '@/api/keys'

// Sessions go on while they are looked at; numbers over hundreds of them need not tick.
const RENEW_MS = 30_000

export const insightQueries = {
  insights: (filter: InsightFilter) =>
    queryOptions({
      queryKey: keys.insights(filter),
      queryFn: ({ signal }) => api.insights(filter, signal),
      refetchInterval: RENEW_MS,
      placeholderData: keepPreviousData,
    }),
}

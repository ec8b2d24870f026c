import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InsightFilter } from '@/api/client'
import { api } from '@/api/client'
import { keys } from '@/api/keys'

export const insightQueries = {
  insights: (filter: InsightFilter) =>
    queryOptions({
      queryKey: keys.insights(filter),
      queryFn: ({ signal }) => api.insights(filter, signal),
      placeholderData: keepPreviousData,
    }),
}

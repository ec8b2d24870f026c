import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { InsightsSearch } from './search'

const route = getRouteApi('/insights')

export function useInsightsSearch(): InsightsSearch {
  return route.useSearch()
}

/** Changes part of the URL's state without a new entry in the history. */
export function useSetSearch(): (change: Partial<InsightsSearch>) => void {
  const navigate = route.useNavigate()
  return useCallback((change) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true }), [navigate])
}

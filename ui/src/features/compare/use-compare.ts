import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { CompareSearch } from './search'

const route = getRouteApi('/compare')

export function useCompareSearch(): CompareSearch {
  return route.useSearch()
}

/** Changes part of the URL's state; a pair is a place to come back to, so each change is one in the history. */
export function useSetSearch(): (change: Partial<CompareSearch>) => void {
  const navigate = route.useNavigate()
  return useCallback((change) => void navigate({ search: (old) => ({ ...old, ...change }) }), [navigate])
}


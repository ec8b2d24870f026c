import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { FlowSearch } from './search'

const route = getRouteApi('/flow')

export function useFlowSearch(): FlowSearch {
  return route.useSearch()
}

/** Changes part of the URL's state. Small steps replace the history's entry, so that Back leaves the view. */
export function useSetFlow(): (change: Partial<FlowSearch>) => void {
  const navigate = route.useNavigate()
  return useCallback((change) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true }), [navigate])
}

import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { ConversationSearch } from './search'

const route = getRouteApi('/conversation')

export function useConversationSearch(): ConversationSearch {
  return route.useSearch()
}

/** Changes part of the URL's state. Small steps replace the history's entry, so that Back leaves the view. */
export function useSetSearch(): (change: Partial<ConversationSearch>, push?: boolean) => void {
  const navigate = route.useNavigate()
  return useCallback(
    (change, push = false) => void navigate({ search: (old) => ({ ...old, ...change }), replace: !push }),
    [navigate],
  )
}

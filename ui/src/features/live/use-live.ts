import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { RunningTool } from '@/api/types'
import type { LiveSearch } from './search'

const route = getRouteApi('/live')

export function useLiveSearch(): LiveSearch {
  return route.useSearch()
}

/** Changes part of the URL's state. Small steps replace the history's entry, so that Back leaves the view. */
export function useSetSearch(): (change: Partial<LiveSearch>, push?: boolean) => void {
  const navigate = route.useNavigate()
  return useCallback(
    (change, push = false) => void navigate({ search: (old) => ({ ...old, ...change }), replace: !push }),
    [navigate],
  )
}

/** Shows a call that runs, in its own session. */
export function useOpenCall(): (tool: RunningTool) => void {
  const navigate = route.useNavigate()
  return useCallback(
    ({ session, turn, call }) => {
      if (turn !== undefined && call !== undefined) void navigate({ search: (old) => ({ ...old, session, turn: turn + 1, tab: 'calls', call }) })
    },
    [navigate],
  )
}

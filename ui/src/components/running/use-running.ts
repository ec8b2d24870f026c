import { useQuery } from '@tanstack/react-query'
import { queries } from '@/api/queries'
import type { RunningTool } from '@/api/types'

const none: RunningTool[] = []

/** The calls that run now, in all sessions; kept up to date by messages. */
export function useRunning(): RunningTool[] {
  const { data } = useQuery(queries.runningTools())
  return data ?? none
}

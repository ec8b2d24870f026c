import type { ReactNode } from 'react'
import { useNow } from '@/hooks/use-now'
import { runningIn, sentenceOf, urgentFirst } from './model'
import { RunningChip } from './RunningChip'
import { useRunning } from './use-running'

/** What runs in a session, in the room of one chip; the children if nothing does. */
export function RunningSummary({ session, children }: { session: string; children?: ReactNode }) {
  const [tool, ...more] = urgentFirst(runningIn(useRunning(), session))
  const now = useNow(tool ? 1000 : 0)
  if (!tool) return children
  return (
    <span role="img" aria-label={sentenceOf(tool) + (more.length > 0 ? `, and ${more.length} more` : '')} className="flex min-w-0">
      <RunningChip tool={tool} more={more.length} now={Math.max(now, tool.startedAt)} />
    </span>
  )
}

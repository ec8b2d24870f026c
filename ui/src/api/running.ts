import type { QueryClient } from '@tanstack/react-query'
import { keys } from './keys'
import type { Message, RunningTool, RunningTools } from './types'

/** All calls that run, with those of the tree below root replaced by fresh. */
export function replaceTree(tools: readonly RunningTool[], root: string, fresh: readonly RunningTool[]): RunningTool[] {
  return [...tools.filter((t) => t.session.split('~', 1)[0] !== root), ...fresh]
}

/** Takes over what a message says runs in one tree; an answer for all trees that is on its way is older. */
export function receiveRunning(client: QueryClient, { session, data }: Message): void {
  if (!session) return
  const { tools } = data as RunningTools
  const coming = client.isFetching({ queryKey: keys.runningTools }) > 0
  const known = client.setQueryData<RunningTool[]>(keys.runningTools, (old) => old && replaceTree(old, session, tools))
  if (coming || !known) void client.invalidateQueries({ queryKey: keys.runningTools })
}

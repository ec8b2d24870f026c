import type { RunningTool } from '@/api/types'

/** The calls that run in a session and in its sub-agents. */
export function runningIn(tools: readonly RunningTool[], session: string): RunningTool[] {
  return tools.filter((t) => t.session === session || t.session.startsWith(`${session}~`))
}

/** Calls that wait for a human first, then as they began. */
export function urgentFirst(tools: readonly RunningTool[]): RunningTool[] {
  return [...tools.filter((t) => t.waiting), ...tools.filter((t) => !t.waiting)]
}

/** What a screen reader is told of a call. */
export function sentenceOf(tool: RunningTool): string {
  return tool.waiting ? `${tool.tool} waits for you` : `${tool.tool} runs`
}

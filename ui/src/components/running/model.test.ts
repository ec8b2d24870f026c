import { expect, test } from 'vitest'
import type { RunningTool } from '@/api/types'
import { runningIn, sentenceOf, urgentFirst } from './model'

const tool = (session: string, id: string, more: Partial<RunningTool> = {}): RunningTool => ({
  id, session, tool: 'Bash', category: 'shell', args: '', startedAt: 1, waiting: false, ...more,
})
const ids = (tools: RunningTool[]) => tools.map((t) => t.id).join(' ')

test('a session has its sub-agents’ calls, and no other session’s', () => {
  const all = [tool('a:1', 'own'), tool('a:1~kid', 'kid'), tool('a:12', 'other'), tool('b:1', 'brand')]
  expect(ids(runningIn(all, 'a:1'))).toBe('own kid')
  expect(ids(runningIn(all, 'a:1~kid'))).toBe('kid')
  expect(ids(runningIn(all, 'a:'))).toBe('')
})

test('what waits for a human goes before what runs longest', () => {
  const [first, second] = [tool('a:1', 'first'), tool('a:1', 'second')]
  const asks = tool('a:1', 'asks', { waiting: true })
  expect(urgentFirst([])).toEqual([])
  expect(ids(urgentFirst([first, second, asks]))).toBe('asks first second')
  expect([first, asks].map(sentenceOf)).toEqual(['Bash runs', 'Bash waits for you'])
})

import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { api } from './client'
import { keys } from './keys'
import { receiveRunning, replaceTree } from './running'
import type { Message, RunningTool } from './types'

const tool = (session: string, id: string): RunningTool => ({ id, session, tool: 'Bash', category: 'shell', args: '', startedAt: 1, waiting: false })
const ids = (tools: RunningTool[] | undefined) => tools?.map((t) => t.id).join(' ')
const message = (session: string, ...tools: RunningTool[]): Message => ({ type: 'running_tools.updated', revision: 1, session, data: { tools } })

test('a tree’s calls are replaced, whichever session they were of', () => {
  const all = [tool('a:1', 'own'), tool('a:1~kid', 'kid'), tool('a:12', 'other')]
  expect(ids(replaceTree(all, 'a:1', [tool('a:1', 'new')]))).toBe('other new')
  expect(ids(replaceTree(all, 'a:1', []))).toBe('other')
  expect(ids(replaceTree([], 'a:1', [tool('a:1', 'new')]))).toBe('new')
})

test('a message changes what is known, and asks for nothing', () => {
  const client = new QueryClient()
  client.setQueryData(keys.runningTools, [tool('a:1', 'old'), tool('a:2', 'other')])
  receiveRunning(client, message('a:1', tool('a:1', 'new')))
  expect(ids(client.getQueryData(keys.runningTools))).toBe('other new')
  expect(client.getQueryState(keys.runningTools)?.isInvalidated).toBe(false)
})

test('an answer that was on its way does not bring back what is over', async () => {
  const client = new QueryClient()
  const answers = [[tool('a:1', 'over')], [tool('a:2', 'other')]]
  const ask = vi.spyOn(api, 'runningTools').mockImplementation(() => Promise.resolve({ tools: answers.shift() ?? [] }))
  const first = client.fetchQuery({ queryKey: keys.runningTools, queryFn: async () => (await api.runningTools()).tools })
  receiveRunning(client, message('a:1'))
  await first.catch(() => undefined)
  await client.refetchQueries({ queryKey: keys.runningTools })
  expect(ids(client.getQueryData(keys.runningTools))).toBe('other')
  expect(ask).toHaveBeenCalledTimes(2)
})

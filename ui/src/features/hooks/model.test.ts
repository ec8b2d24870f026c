import { expect, test } from 'vitest'
import type { HookAgentReport, HooksReport } from '@/api/types'
import { offers, planForAll, planForNone, shortPath, standing, summary, verb } from './model'

const agent = (over: Partial<HookAgentReport>): HookAgentReport => ({
  agent: 'acme', present: true, path: '/r/.acme/hooks.json', state: 'none', changed: false, notes: [], ...over,
})
const report = (...agents: Partial<HookAgentReport>[]): HooksReport => ({
  scope: 'repo', root: '/r', places: [], agents: agents.map((a, i) => agent({ agent: `a${i}`, ...a })),
})

test('every state has a word and what can be done', () => {
  const all: [Partial<HookAgentReport>, string, string, string[]][] = [
    [{ state: 'none' }, 'not installed', 'plain', ['Install…']],
    [{ state: 'installed' }, 'installed', 'ok', ['Uninstall…']],
    [{ state: 'installed', trust: 'trusted' }, 'installed', 'ok', ['Uninstall…']],
    [{ state: 'installed', trust: 'pending' }, 'waits for your trust', 'warn', ['Uninstall…']],
    [{ state: 'installed', trust: 'modified' }, 'waits for your trust again', 'warn', ['Uninstall…']],
    [{ state: 'modified', trust: 'pending' }, 'changed since', 'warn', ['Put right…', 'Uninstall…']],
    [{ state: 'unlinked' }, 'not connected', 'warn', ['Connect…', 'Uninstall…']],
    [{ state: 'foreign' }, 'foreign file', 'warn', ['Move aside and install…']],
    [{ state: 'broken' }, 'cannot be read', 'fail', []],
  ]
  for (const [over, word, tone, labels] of all) {
    expect(standing(agent(over))).toEqual({ word, tone })
    expect(offers(agent(over)).map((o) => o.label)).toEqual(labels)
  }
})

test('only a foreign file is moved aside', () => {
  const [foreign] = offers(agent({ state: 'foreign' }))
  expect(foreign!.plan).toEqual({ action: 'install', agents: ['acme'], force: ['acme'] })
  expect(verb(foreign!.plan)).toBe('Move aside and install')
  const [plain] = offers(agent({}))
  expect(plain!.plan.force).toEqual([])
  expect(verb(plain!.plan)).toBe('Install')
})

test('one click for all is for several agents of this machine', () => {
  expect(planForAll(report({}, { state: 'installed' }))).toBeUndefined()
  expect(planForAll(report({}, { present: false }))).toBeUndefined()
  expect(planForAll(report({}, { state: 'unlinked' }, { state: 'foreign' }, { state: 'broken' }))?.agents).toEqual(['a0', 'a1'])
  expect(planForNone(report({ state: 'installed' }, {}))).toBeUndefined()
  expect(planForNone(report({ state: 'installed' }, { state: 'modified', present: false }, {}))?.agents).toEqual(['a0', 'a1'])
})

test('the button says the worst', () => {
  expect(summary(report({}, { state: 'foreign' }))).toEqual({ word: 'not installed', tone: 'plain' })
  expect(summary(report({ state: 'installed' }, {}))).toEqual({ word: 'installed', tone: 'ok' })
  expect(summary(report({ state: 'installed' }, { state: 'installed', trust: 'pending' })).tone).toBe('warn')
  expect(summary({ ...report(), folder: 'gone', reason: 'there is no folder /r' })).toEqual({ word: 'the folder is gone', tone: 'plain' })
  expect(summary({ ...report(), folder: 'outside', reason: '/r is in no git repository' }).tone).toBe('plain')
  expect(summary(report({ state: 'broken' }, { state: 'installed' })).tone).toBe('fail')
})

test('paths are shown below the repository', () => {
  expect(shortPath('/r/.acme/x', '/r')).toBe('.acme/x')
  expect(shortPath('/rx/y', '/r')).toBe('/rx/y')
  expect(shortPath('/home/me/.acme/x', undefined)).toBe('/home/me/.acme/x')
})

import { describe, expect, test } from 'vitest'
import type { InsightDay, InsightSession, ModelUse, ToolStat } from '@/api/types'
import { isDay, isoDay, longDay, shortDay } from '@/lib/days'
import { compact } from '@/lib/format'
import { sessionMeasures } from './measures'
import { byCost, daysBetween, facets, failing, labelled, sorted, tickText, ticks, tokenParts } from './model'
import { brushDays, brushOf, facetFilter, filterOf, hasFilter, validateInsightsSearch } from './search'

const exact = (value: number) => ({ value, quality: 'exact' as const })
const unknown = { value: 0, quality: 'unknown' as const }
const tool = (name: string, calls: number, failed: number): ToolStat => ({ tool: name, category: 'other', calls, failed, failRate: failed / calls, retries: 0, timed: 0, p50Ms: null, p95Ms: null, totalMs: 0 })
const model = (name: string, tokens: number, cost?: number): ModelUse => ({
  model: name, roundTrips: 1, sessions: 1, tokens: {} as ModelUse['tokens'], totalTokens: exact(tokens), priced: cost !== undefined, ...(cost === undefined ? {} : { costUsd: exact(cost) }),
})
const session = (id: string, more: Partial<InsightSession> = {}) =>
  ({ id, agent: 'codex', title: id, repo: '', branch: '', model: 'm', labels: [], turns: 1, calls: 1, failRate: null, flags: 0, totalTokens: exact(1), wallMs: 0, lastAt: 0, ...more }) as InsightSession

describe('axes', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [7, [0, 2, 4, 6, 8]],
    [146_000_000, [0, 50e6, 100e6, 150e6]],
    [0.33, [0, 0.1, 0.2, 0.3, 0.4]],
  ])('ticks up to %d', (max, want) => expect(ticks(max)).toEqual(want))

  test('the last tick is never below the longest bar', () => {
    for (const max of [0.0031, 0.9, 3, 19, 99, 101, 12_345, 9.99e8]) expect(ticks(max).at(-1)!).toBeGreaterThanOrEqual(max)
  })
  test('ticks are written without a needless .0', () => {
    expect(tickText(compact, 50e6)).toBe('50\u00a0M')
    expect(tickText(compact, 2.5e6)).toBe('2.5\u00a0M')
    expect(tickText(() => '$10.00', 1)).toBe('$10')
  })
  test('labels thin out, the last one stays', () => {
    expect(labelled(5, 10)).toEqual([0, 1, 2, 3, 4])
    expect(labelled(10, 4)).toEqual([0, 3, 6, 9])
    expect(labelled(0, 4)).toEqual([])
  })
})

test('rates of a handful of calls come last', () => {
  expect(failing([tool('rare', 1, 1), tool('often', 100, 10), tool('more', 50, 10), tool('never', 9, 0)]).map((t) => t.tool)).toEqual(['more', 'often', 'rare'])
})

test('models without a price stand below those with one, by tokens', () => {
  expect(byCost([model('big', 1e9), model('cheap', 5, 1), model('dear', 5, 9), model('small', 10)]).map((m) => m.model)).toEqual(['dear', 'cheap', 'big', 'small'])
})

test('tokens are parts of what was counted', () => {
  const parts = tokenParts({ input: exact(10), cacheRead: exact(80), cacheWrite5m: exact(5), cacheWrite1h: unknown, output: exact(5), reasoning: exact(3) })
  expect(parts.map((p) => [p.key, p.share, p.partial])).toEqual([['cacheRead', 0.8, false], ['input', 0.1, false], ['cacheWrite', 0.05, true], ['output', 0.05, false]])
})

describe('sessions', () => {
  test('sort by any column, the unknown always last', () => {
    const rows = [session('a', { costUsd: exact(1) }), session('b'), session('c', { costUsd: exact(3) })]
    expect(sorted(rows, { by: 'cost', down: true }).map((s) => s.id)).toEqual(['c', 'a', 'b'])
    expect(sorted(rows, { by: 'cost', down: false }).map((s) => s.id)).toEqual(['a', 'c', 'b'])
    expect(sorted(rows, { by: 'title', down: true }).map((s) => s.id)).toEqual(['c', 'b', 'a'])
  })
  test('menus offer what there is, the most frequent first', () => {
    const sessions = [session('a', { repo: 'x' }), session('b', { repo: 'y', labels: ['k'] }), session('c', { repo: 'y' })]
    const models = [model('m', 9), { ...model('of a sub-agent', 5), sessions: 3 }, model('', 1)]
    expect(facets({ sessions, models })).toMatchObject({ repos: ['y', 'x'], labels: ['k'], branches: [], models: ['of a sub-agent', 'm'] })
  })
  test('what was read is unknown if no part of it is known', () => {
    const input = sessionMeasures.find((m) => m.key === 'input')!
    const tokens = { input: unknown, cacheRead: unknown, cacheWrite5m: unknown, cacheWrite1h: unknown, output: exact(9), reasoning: unknown }
    expect(input.value(session('a', { tokens }))).toBeUndefined()
    expect(input.value(session('a', { tokens: { ...tokens, input: exact(7) } }))).toBe(7)
  })
})

describe('days', () => {
  test('are the user’s', () => {
    const at = Date.UTC(2026, 10, 30, 23, 30)
    expect(isoDay(at, 'UTC')).toBe('2026-11-30')
    expect(isoDay(at, 'Europe/Berlin')).toBe('2026-12-01')
    expect([shortDay('2026-11-02'), longDay('2026-11-02')]).toEqual(['2 Nov', 'Mon, 2 Nov 2026'])
    expect([isDay('2026-11-02'), isDay('2026-11-32'), isDay('today')]).toEqual([true, false, false])
  })
  test('a brush may be drawn either way and past the ends', () => {
    const days = ['2026-11-01', '2026-11-02', '2026-11-03'].map((day) => ({ day }) as InsightDay)
    expect(daysBetween(days, 2, 0)).toEqual({ from: '2026-11-01', to: '2026-11-03' })
    expect(daysBetween(days, 1, 9)).toEqual({ from: '2026-11-02', to: '2026-11-03' })
    expect(daysBetween([], 0, 0)).toBeUndefined()
    expect(brushDays(brushOf('2026-11-03', '2026-11-01'))).toEqual({ from: '2026-11-01', to: '2026-11-03' })
    expect(brushDays('2026-11-01')).toBeUndefined()
  })
})

describe('the URL', () => {
  test('keeps what it understands', () => {
    expect(validateInsightsSearch({ last: '1000', agent: 'codex', from: 'yesterday', brush: '1..2', per: 'cost', of: 'x' })).toEqual({ last: 1000, agent: 'codex', per: 'cost' })
    expect(validateInsightsSearch({ last: 99_999 })).toEqual({})
  })
  test('asks for the filter, and for the menus without the choices made in them', () => {
    const search = { agent: 'codex', from: '2026-11-01' }
    expect(filterOf(search, 'UTC')).toMatchObject({ limit: 200, agent: 'codex', from: '2026-11-01', tz: 'UTC' })
    expect(facetFilter(search, 'UTC')).toEqual({ limit: 200, from: '2026-11-01', to: undefined, tz: 'UTC' })
    expect([hasFilter(search), hasFilter({ last: 50, per: 'cost' })]).toEqual([true, false])
  })
})

import { describe, expect, test } from 'vitest'
import type { Comparison, MetricDelta, Step, StepCall } from '@/api/types'
import { percent, signed, signedPercent, valueText } from '@/lib/delta'
import { scaleOf, stepDot, swarm } from './dots'
import { toMarkdown } from './markdown'
import { changeCounts, deltaText, isSelf, lean, sectionsOf, sequenceRows, sideName } from './model'
import { isOther, promptPieces } from './prompts'
import { missing, modeOf, queryOf, sideOf, swapped, termParts, termsOf, validateCompareSearch, withTerm, withoutTerm } from './search'
import { suggest } from './suggest'
import { remember } from './use-recent'

const plain = (s: string) => s.replaceAll('\u00a0', ' ')
const exact = (value: number) => ({ value, quality: 'exact' as const })

function metric(key: string, more: Partial<MetricDelta> = {}): MetricDelta {
  return { key, label: key, unit: 'count', better: 'less', a: exact(4), b: exact(5), delta: 1, percent: 25, verdict: 'worse', reason: '', ...more }
}
function call(seq: number, more: Partial<StepCall> = {}): StepCall {
  return { seq, tool: 'Bash', category: 'shell', args: '{}', status: 'ok', durationMs: exact(10), ...more }
}
const same = (seq: number, more: Partial<StepCall> = {}): Step => ({ change: 'same', a: call(seq), b: call(seq, more) })
const side = (id: string, title: string, turn?: number) => ({
  label: title,
  sessions: [{ id, agent: 'x', title, repo: '', branch: '', model: '', startedAt: 0, labels: [] }],
  ...(turn === undefined ? {} : { turn }),
})
function comparison(more: Partial<Comparison> = {}): Comparison {
  return { kind: 'sessions', sentence: 'B failed less', a: side('x:1', 'One'), b: side('x:2', 'Two'), metrics: [], tools: [], sequence: [], ...more }
}

describe('numbers', () => {
  test.each([
    [0, '0 %'], [0.0004, '<0.1 %'], [0.0712, '7.1 %'], [0.636, '64 %'], [1, '100 %'],
  ])('percent(%d) is %s', (n, want) => expect(plain(percent(n))).toBe(want))

  test.each([
    [3, 'count', '+3'], [-69_400, 'tokens', '−69.4 k'], [-0.636, 'ratio', '−64 pp'], [0.03, 'ratio', '+3.0 pp'], [0, 'usd', '0'], [-0.42, 'usd', '−$0.42'], [4600, 'ms', '+4.6 s'],
  ] as const)('%d in %s is %s', (n, unit, want) => expect(plain(signed(n, unit))).toBe(want))

  test.each([
    [-18.2, '−18 %'], [1.5, '+1.5 %'], [4336, '×44'], [0.01, '0 %'], [null, ''],
  ])('a change by %d is %s', (n, want) => expect(plain(signedPercent(n))).toBe(want))

  test('a lower bound and the unknown are marked', () => {
    expect(plain(valueText({ value: 420, quality: 'partial' }, 'tokens'))).toBe('≥ 420')
    expect(valueText({ value: 0, quality: 'unknown' }, 'usd')).toBe('—')
    expect(valueText(undefined, 'usd')).toBe('—')
    expect(plain(valueText({ value: 0.25, quality: 'partial' }, 'ratio'))).toBe('≈ 25 %')
  })
})

describe('metrics', () => {
  test('stand under headings, without what neither side has', () => {
    const got = sectionsOf([metric('tokens'), metric('credits', { a: undefined, b: { value: 0, quality: 'unknown' } }), metric('turns'), metric('novel')])
    expect(got.map((s) => [s.title, s.metrics.map((m) => m.key)])).toEqual([['Work', ['turns']], ['Tokens', ['tokens']], ['Other', ['novel']]])
  })
  test('a bar is full at half and at twice as much', () => {
    expect(lean(metric('x', { delta: 4, percent: 100 }))).toBe(1)
    expect(lean(metric('x', { delta: -2, percent: -50 }))).toBe(-1)
    expect(lean(metric('x', { delta: -4, percent: -100 }))).toBe(-1)
    expect(lean(metric('x', { delta: 2, percent: null }))).toBe(1)
    expect(lean(metric('x', { delta: null, percent: null }))).toBe(0)
    expect(Math.abs(lean(metric('x', { delta: 1, percent: 25 })))).toBeCloseTo(0.32)
  })
  test('what is not subtracted is a dash', () => expect(deltaText(metric('x', { delta: null }))).toBe('—'))
})

describe('aligned calls', () => {
  test('a long run of equal calls folds', () => {
    const rows = sequenceRows([same(0), same(1), same(2), same(3), { change: 'added', b: call(4) }, same(5)])
    expect(rows.map((r) => r.kind)).toEqual(['same', 'step', 'step'])
    expect(rows[0]).toMatchObject({ kind: 'same', steps: { length: 4 } })
  })
  test('equal calls that went differently stay in sight', () => {
    expect(sequenceRows([same(0), same(1), same(2, { status: 'failed' }), same(3)]).map((r) => r.kind)).toEqual(['step', 'step', 'step', 'step'])
  })
  test('changes are counted', () => expect(changeCounts([same(0), { change: 'dropped', a: call(1) }])).toEqual({ same: 1, added: 0, dropped: 1, changed: 0 }))
  test('keys of rows are unique', () => {
    const rows = sequenceRows([{ change: 'dropped', a: call(1) }, { change: 'added', b: call(1) }, same(1)])
    expect(new Set(rows.map((r) => r.key)).size).toBe(3)
  })
})

describe('prompts', () => {
  test('words that changed are marked', () => {
    expect(promptPieces('fix the login test', 'fix the slow test').map((p) => [p.kind, p.text])).toEqual([
      ['same', 'fix the '], ['dropped', 'login'], ['added', 'slow'], ['same', ' test'],
    ])
  })
  test('prompts with little in common stand side by side', () => {
    expect(isOther(promptPieces('write a parser for toml', 'why is the sky blue at noon'))).toBe(true)
    expect(isOther(promptPieces('fix the login test', 'fix the login test now'))).toBe(false)
  })
})

describe('the URL', () => {
  test('says what is compared', () => {
    expect(modeOf({})).toBe('sessions')
    expect(modeOf({ a: 'x:1', turnA: 2 })).toBe('turns')
    expect(modeOf({ groupA: 'repo:x' })).toBe('groups')
    expect(modeOf({ by: 'sessions', turnA: 2 })).toBe('sessions')
  })
  test('keeps what it understands', () => {
    expect(validateCompareSearch({ a: 'x:1', b: '', turnA: '3', turnB: 0, by: 'colour', junk: 1 })).toEqual({ a: 'x:1', turnA: 3 })
  })
  test('counts turns from 1, the API from 0', () => {
    expect(queryOf({ a: 'x:1', turnA: 1, turnB: 2 }, 'UTC')).toEqual({ a: 'x:1', b: 'x:1', turnA: 0, turnB: 1 })
    expect(queryOf({ a: 'x:1', turnA: 1 }, 'UTC')).toBeUndefined()
    expect(queryOf({ groupA: 'agent:x', groupB: 'agent:y' }, 'Asia/Tokyo')).toEqual({ groupA: 'agent:x', groupB: 'agent:y', tz: 'Asia/Tokyo' })
  })
  test('a turn of B is in A’s session unless said otherwise', () => {
    expect(sideOf({ by: 'turns', a: 'x:1', turnB: 4 }, 'b')).toEqual({ session: 'x:1', turn: 4 })
    expect(missing({ by: 'turns', a: 'x:1', turnA: 1 })).toEqual(['b'])
    expect(missing({})).toEqual(['a', 'b'])
  })
  test('swapping twice changes nothing that is compared', () => {
    const search = { by: 'turns' as const, a: 'x:1', turnA: 1, turnB: 2 }
    expect(queryOf(swapped(search), 'UTC')).toEqual({ a: 'x:1', b: 'x:1', turnA: 1, turnB: 0 })
    expect(queryOf(swapped(swapped(search)), 'UTC')).toEqual(queryOf(search, 'UTC'))
  })
})

describe('groups', () => {
  test('an id with a colon is no filter', () => {
    expect(termParts('claude:2222')).toEqual({ session: 'claude:2222' })
    expect(termParts('repo:acme/web')).toEqual({ filter: 'repo', value: 'acme/web' })
  })
  test('a second repo takes the place of the first; ids and labels add up', () => {
    expect(withTerm('repo:a,x:1', 'repo:b')).toBe('x:1,repo:b')
    expect(withTerm('label:a', 'label:b')).toBe('label:a,label:b')
    expect(withTerm('x:1', 'x:1')).toBe('x:1')
    expect(termsOf(withoutTerm('x:1', 'x:1'))).toEqual([])
  })
  test('suggestions are what the sessions have, or the day that is typed', () => {
    const s = (repo: string) => ({ agent: 'codex', repo, branch: 'main', model: 'm' })
    expect(suggest('acme', [s('acme/a'), s('acme/b'), s('acme/b')], [], 0).map((x) => x.term)).toEqual(['repo:acme/b', 'repo:acme/a'])
    expect(suggest('2026-11-02', [], [], 0).map((x) => x.term)).toEqual(['from:2026-11-02', 'to:2026-11-02'])
    expect(suggest('to:2026-11-02', [], [], 0).map((x) => x.term)).toEqual(['to:2026-11-02'])
  })
})

describe('dots', () => {
  test('a heavy tail gets a logarithmic axis', () => {
    expect(scaleOf([1, 2, 3], 100, 0).log).toBe(false)
    const scale = scaleOf([0, 10, 20, 30, 40, 100_000], 100, 0)
    expect(scale.log).toBe(true)
    expect([scale.at(0), scale.at(100_000), scale.at(1e9)]).toEqual([0, 100, 100])
  })
  test('one value stands in the middle', () => expect(scaleOf([5, 5], 100, 0).at(5)).toBe(50))
  test('dots of one value do not cover each other', () => {
    const dots = swarm(Array.from({ length: 5 }, (_, i) => ({ session: `${i}`, value: 1 })), () => 10, 2, 10)
    expect(new Set(dots.map((d) => d.y)).size).toBe(5)
  })
})

test('Markdown has the sentence, the table and the reason', () => {
  const text = toMarkdown(
    comparison({
      metrics: [metric('tokens', { label: 'Tokens', unit: 'tokens', a: exact(1000), b: exact(820), delta: -180, percent: -18, verdict: 'better' }), metric('costUsd', { label: 'Cost', unit: 'usd', a: undefined, b: exact(1), delta: null, verdict: 'unknown', reason: 'A is not billed in USD' })],
      sequence: [same(0)],
    }),
    'http://x/compare',
  )
  expect(text).toContain('**B failed less**')
  expect(text).toContain('| Tokens | 1,000 | 820 | −180, −18 % (better) |')
  expect(text).toContain('| Cost | — | $1.00 | — (A is not billed in USD) |')
  expect(text).toContain('Calls: 1 the same')
  expect(text).not.toContain('\u00a0')
})

test('a cell cannot break the table', () => {
  expect(toMarkdown(comparison({ tools: [{ tool: 'a|b', category: 'other', in: 'a', calls: -1, failed: 0, failRate: null, verdict: 'neutral' }] }), '')).toContain('| a\\|b |')
})

test('sides have names, and a thing is itself', () => {
  expect(sideName(side('x:1', 'One', 2))).toBe('One, turn 3')
  expect(isSelf(comparison({ b: side('x:1', 'One') }))).toBe(true)
  expect(isSelf(comparison({ a: side('x:1', 'One', 0), b: side('x:1', 'One', 1) }))).toBe(false)
})

test('a pair is remembered once, newest first', () => {
  const pair = (name: string) => ({ name, search: {} })
  expect(remember([pair('a'), pair('b')], pair('b')).map((p) => p.name)).toEqual(['b', 'a'])
  expect(remember(Array.from({ length: 12 }, (_, i) => pair(`${i}`)), pair('x'))).toHaveLength(10)
})

test('keys walk the dots: along a lane by value, across to the nearest', () => {
  const lane = (...values: number[]) => swarm(values.map((value) => ({ session: `${value}`, value })), (v) => v, 1, 5)
  const step = stepDot(lane(30, 10, 20), lane(12, 100))
  expect(['ArrowRight', 'ArrowLeft', 'End', 'ArrowDown', 'ArrowUp', 'x'].map((key) => step(0, key))).toEqual([1, 0, 2, 3, 0, undefined])
  expect(['ArrowRight', 'Home', 'ArrowUp', 'ArrowDown'].map((key) => step(4, key))).toEqual([4, 3, 2, 4])
  expect(stepDot(lane(1), [])(0, 'ArrowDown')).toBe(0)
})

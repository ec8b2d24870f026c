import { describe, expect, test } from 'vitest'
import type { Marker, ToolCall, Turn } from '@/api/types'
import { flagCounts } from '@/components/flags'
import { byCategory, inOrder, outcome } from './calls'
import { clockParts, clocksNow, nextBroken, nextTurnWithErrors, runningUnknown, shownSince, skillsBySource, span, timeline } from './model'
import { recordsOf } from './records'
import { validateLiveSearch } from './search'

const ref = (offset = 0, length = 10) => ({ offset, length, line: offset / 10 + 1 })
const text = (preview = '', offset = 0) => ({ preview, ref: ref(offset, preview ? 10 : 0) })
const exact = (value: number) => ({ value, quality: 'exact' as const })

function call(seq: number, more: Partial<ToolCall> = {}): ToolCall {
  return {
    seq, turn: 0, roundTrip: seq, key: `k${seq}`, tool: 'Bash', category: 'shell', status: 'ok', args: text(), result: text(),
    startedAt: 1000 + seq * 100, endedAt: 1050 + seq * 100, durationMs: exact(50), ref: ref(seq * 100), ...more,
  }
}
function marker(seq: number, more: Partial<Marker> = {}): Marker {
  const unknown = { value: 0, quality: 'unknown' as const }
  return { seq, turn: 0, kind: 'hook', text: text(), status: 'ok', at: 0, durationMs: unknown, preTokens: unknown, postTokens: unknown, ref: ref(), ...more }
}
function turn(index: number, more: Partial<Turn> = {}): Turn {
  return {
    index, status: 'ok', startedAt: 1000, endedAt: 2000, prompt: text(), reply: text(), flags: [], totals: { failedCalls: 0, errors: 0 }, ref: ref(), ...more,
  } as Turn
}

describe('timeline', () => {
  const turns = [turn(0, { endedAt: 100 }), turn(1, { endedAt: 300 }), turn(2, { endedAt: 100, status: 'open' })]
  test('is newest first', () => expect(timeline(turns, undefined).map((t) => t.index)).toEqual([2, 1, 0]))
  test('leaves out what was over before the attachment', () => expect(timeline(turns, 200).map((t) => t.index)).toEqual([2, 1]))
  test('an attachment counts for its own session, unless it was to all of it', () => {
    const attachment = { session: 'a:1', at: 5, fromStart: false }
    expect(shownSince(attachment, 'a:1', false)).toBe(5)
    expect(shownSince(attachment, 'a:1', true)).toBeUndefined()
    expect(shownSince(attachment, 'a:2', false)).toBeUndefined()
    expect(shownSince({ ...attachment, fromStart: true }, 'a:1', false)).toBeUndefined()
    expect(shownSince(undefined, 'a:1', false)).toBeUndefined()
  })
})

describe('clocks', () => {
  test('what no clock explains is other', () => {
    expect(clockParts({ wallMs: 100, modelMs: 50, toolMs: 20, waitMs: 0 })).toEqual([
      { name: 'model', ms: 50, share: 0.5 },
      { name: 'tools', ms: 20, share: 0.2 },
      { name: 'other', ms: 30, share: 0.3 },
    ])
  })
  test('overlapping clocks still fill the bar exactly', () => {
    const shares = clockParts({ wallMs: 100, modelMs: 90, toolMs: 60, waitMs: 0 }).map((p) => p.share)
    expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1)
  })
  test('in a turn that goes on, what no record explains yet is other', () => {
    const going = turn(0, { status: 'open', startedAt: 1000, totals: { clocks: { wallMs: 100, modelMs: 60, toolMs: 40, waitMs: 0 } } as Turn['totals'] })
    const parts = clockParts(clocksNow(going, 1500))
    expect(parts.map((p) => [p.name, p.ms])).toEqual([['model', 60], ['tools', 40], ['other', 400]])
    expect(parts.reduce((sum, p) => sum + p.ms, 0)).toBe(500)
  })
  test('no time, no bar', () => expect(clockParts({ wallMs: 0, modelMs: 0, toolMs: 0, waitMs: 0 })).toEqual([]))
})

describe('waterfall', () => {
  test('a call stands where it ran', () => expect(span(call(0, { startedAt: 1250, durationMs: exact(500) }), turn(0), 0)).toEqual({ left: 25, width: 50 }))
  test('a running call reaches to now', () => {
    expect(span(call(0, { startedAt: 1500, status: 'pending' }), turn(0, { status: 'open' }), 3000)).toEqual({ left: 25, width: 75 })
  })
  test('in a turn that goes on, what no record explains yet is other', () => {
    const going = turn(0, { status: 'open', startedAt: 1000, totals: { clocks: { wallMs: 100, modelMs: 60, toolMs: 40, waitMs: 0 } } as Turn['totals'] })
    const parts = clockParts(clocksNow(going, 1500))
    expect(parts.map((p) => [p.name, p.ms])).toEqual([['model', 60], ['tools', 40], ['other', 400]])
    expect(parts.reduce((sum, p) => sum + p.ms, 0)).toBe(500)
  })
  test('no time, no bar', () => expect(span(call(0, { startedAt: 0 }), turn(0), 0)).toBeUndefined())
})

describe('calls', () => {
  test('markers stand where the log has them, and skills have their own place', () => {
    const rows = inOrder(turn(0, { toolCalls: [call(0), call(1)], markers: [marker(0, { ref: ref(50) }), marker(1, { kind: 'skill' }), marker(2, { ref: ref(500) })] }))
    expect(rows.map((r) => r.key)).toEqual(['call-0', 'marker-0', 'call-1', 'marker-2'])
  })
  test('hooks that went well are one row, one that failed stands alone', () => {
    const hooks = [marker(0, { ref: ref(10) }), marker(1, { ref: ref(20) }), marker(2, { ref: ref(30), status: 'failed' }), marker(3, { ref: ref(40) })]
    expect(inOrder(turn(0, { toolCalls: [call(1)], markers: hooks })).map((r) => r.key)).toEqual(['hooks-0', 'marker-2', 'marker-3', 'call-1'])
  })
  test('calls of one round trip are joined', () => {
    const rows = inOrder(turn(0, { toolCalls: [call(0, { roundTrip: 1 }), call(1, { roundTrip: 1 }), call(2, { roundTrip: 1 }), call(3), call(4, { roundTrip: -1 }), call(5, { roundTrip: -1 })] }))
    expect(rows.map((r) => r.kind === 'call' && r.lane)).toEqual(['first', 'middle', 'last', 'single', 'single', 'single'])
  })
  test('groups: the most used first, with sums', () => {
    const rows = byCategory(turn(0, { toolCalls: [call(0, { category: 'file' }), call(1, { status: 'failed' }), call(2)] }))
    expect(rows[0]).toMatchObject({ kind: 'group', category: 'shell', calls: 2, failed: 1, ms: 100 })
    expect(rows.map((r) => r.key)).toEqual(['group-shell', 'call-1', 'call-2', 'group-file', 'call-0'])
  })
  test.each([
    [{ status: 'failed', exitCode: 2 }, 'exit 2'], [{ status: 'failed' }, 'failed'], [{ status: 'lost' }, 'no result'],
    [{ status: 'ok', background: true }, 'in background'], [{ status: 'denied' }, 'denied'], [{ status: 'pending' }, 'running'],
  ] as [Partial<ToolCall>, string][])('%o is %s', (more, want) => expect(outcome(call(0, more))).toBe(want))
})

describe('errors', () => {
  test('next broken call', () => {
    const calls = [call(0, { status: 'failed' }), call(1), call(2, { status: 'lost' })]
    expect(nextBroken(calls, undefined)?.seq).toBe(0)
    expect(nextBroken(calls, 0)?.seq).toBe(2)
    expect(nextBroken(calls, 2)).toBeUndefined()
  })
  test('next turn with errors goes round', () => {
    const bad = { failedCalls: 1, errors: 0 } as Turn['totals']
    const rows = [turn(3, { totals: bad }), turn(2), turn(1, { status: 'failed' }), turn(0)]
    expect(nextTurnWithErrors(rows, 3)?.index).toBe(1)
    expect(nextTurnWithErrors(rows, 1)?.index).toBe(3)
    expect(nextTurnWithErrors([turn(0)], 0)).toBeUndefined()
  })
})

test('agents whose logs show no running calls say why', () => {
  const health = { runningUnknown: [{ agent: 'late', why: 'When it has ended.' }] }
  expect(runningUnknown(health, 'late')).toBe('When it has ended.')
  expect(runningUnknown(health, 'prompt')).toBeUndefined()
})

test('flags are counted by kind', () => {
  const at = { kind: 'call' as const, seq: 0 }
  const flag = (kind: 'fail' | 'retry', reason: string) => ({ kind, reason, at, evidence: [] })
  expect(flagCounts([flag('fail', 'a'), flag('retry', 'b'), flag('fail', 'c')])).toEqual([
    { kind: 'fail', count: 2, reasons: ['a', 'c'] },
    { kind: 'retry', count: 1, reasons: ['b'] },
  ])
})

test('skills are grouped by source', () => {
  const groups = skillsBySource([marker(0, { kind: 'skill', name: 'x', source: 'user' }), marker(1), marker(2, { kind: 'skill', name: 'y' })])
  expect(groups.map(([source, skills]) => [source, skills.length])).toEqual([['user', 1], ['source unknown', 1]])
})

test('records are listed once, in the order of the log', () => {
  const t = turn(0, { prompt: text('p', 0), toolCalls: [call(1, { result: text('r', 300) }), call(2, { ref: ref(100) })] })
  expect(recordsOf(t).map((r) => [r.ref.offset, r.what])).toEqual([[0, ['prompt']], [100, ['Bash asked']], [300, ['Bash result']]])
})

test('a URL is taken for what it says and nothing else', () => {
  expect(validateLiveSearch({ turn: 12, tab: 'calls', call: 0, errors: true, full: 1, text: 'x', raw: '10-20' })).toEqual({ turn: 12, tab: 'calls', call: 0, errors: true, full: true, text: 'x', raw: '10-20' })
  expect(validateLiveSearch({ turn: '3', tab: 'overview', call: -1, errors: 'no', text: '', raw: '10' })).toEqual({ turn: 3 })
  expect(validateLiveSearch({ turn: 0, tab: 'nonsense', text: 42 })).toEqual({ text: '42' })
  // The router keeps what the URL says unless it is overruled.
  expect(validateLiveSearch({ turn: 0 })).toHaveProperty('turn', undefined)
})

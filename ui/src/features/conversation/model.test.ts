import { expect, test } from 'vitest'
import { findIn, nextHit, partsWith } from './find'
import { message, result, text, thinking, turn, use } from './fixtures'
import { conversationMarkdown, messageMarkdown } from './markdown'
import type { Row } from './model'
import { CLIP, blocksOf, clip, modelChanges, plain, rowAtLine, rowsOf, turnsOf, weave, whyOf, withOutcomes, withoutMark } from './model'

const briefly = (r: Row) => (r.kind === 'turn' ? `turn ${r.turn}` : r.kind === 'outcome' ? `outcome ${r.turn.index}` : r.message.line)

test('a message that goes on later is one message', () => {
  const woven = weave([message(10, 'response', [text('Let me look.', 10)], { id: 'm' }), message(12, 'response', [use('call', 12)], { id: 'm', model: 'fast' })])
  expect(woven).toHaveLength(1)
  expect(woven[0]).toMatchObject({ line: 10, model: 'fast' })
  expect(woven[0]!.content.map((p) => p.type)).toEqual(['text', 'tool_use'])
})

test('a result of another page comes to its call, and what came with the call gives way to a later one', () => {
  const early = { text: 'interrupted', bytes: 11, status: 'interrupted' as const, ref: { offset: 0, length: 1, line: 11 } }
  const woven = weave([message(10, 'response', [use('a', 10), { ...use('b', 10), result: early }]), result(20, 'a', 'done'), result(21, 'b', 'done after all')])
  expect(woven).toHaveLength(1)
  expect(woven[0]!.content.map((p) => p.result?.text)).toEqual(['done', 'done after all'])
})

test('an older answer does not replace a newer one', () => {
  const late = { text: 'late', bytes: 4, status: 'ok' as const, ref: { offset: 0, length: 1, line: 30 } }
  expect(weave([message(10, 'response', [{ ...use('a', 10), result: late }]), result(20, 'a', 'early')])[0]!.content[0]!.result?.text).toBe('late')
})

test('a result whose call is not loaded stays until the call is', () => {
  const orphan = result(20, 'a', 'done')
  expect(weave([orphan]).map((m) => m.kind)).toEqual(['result'])
  expect(weave([message(10, 'response', [use('a', 10)]), orphan]).map((m) => m.kind)).toEqual(['response'])
})

test('weaving changes nothing of what it was given', () => {
  const raw = [message(10, 'response', [use('a', 10)], { id: 'm' }), message(12, 'response', [text('more', 12)], { id: 'm' }), result(13, 'a', 'done')]
  const before = structuredClone(raw)
  weave(raw)
  expect(raw).toEqual(before)
})

test('a turn has a header where it begins, but not where the loaded piece begins in the middle of it', () => {
  const messages = [message(1, 'prompt', [text('One', 1)], { turn: 0 }), message(5, 'response', [text('Yes', 5)], { turn: 0 }), message(9, 'prompt', [text('Two', 9)], { turn: 1 })]
  expect(rowsOf(messages, false).map(briefly)).toEqual(['turn 0', 1, 5, 'turn 1', 9])
  expect(rowsOf(messages, true).map(briefly)).toEqual([1, 5, 'turn 1', 9])
  expect(new Set(rowsOf(messages, false).map((r) => r.key)).size).toBe(5)
})

test('a turn that did not go well says so behind its last message, once that is loaded', () => {
  const at = { kind: 'call' as const, seq: 0 }
  const flag = (kind: 'fail' | 'fanout') => ({ kind, reason: `${kind}: «boom»`, at, evidence: [] })
  const messages = [0, 0, -1, 1, 2, 3, 4, 5].map((n, i) => message(i + 1, n < 0 ? 'command' : 'prompt', [text('…', i + 1)], { turn: n }))
  const turns = [
    turn(0, { status: 'failed', error: 'overloaded' }), turn(1), turn(2, { flags: [flag('fail')] }), turn(3, { flags: [flag('fanout')] }), turn(4, { status: 'interrupted' }), turn(5, { status: 'open' }),
  ]
  const rows = rowsOf(messages, true)
  expect(withOutcomes(rows, turns, false, false).map(briefly)).toEqual([1, 2, 'outcome 0', 3, 'turn 1', 4, 'turn 2', 5, 'outcome 2', 'turn 3', 6, 'turn 4', 7, 'outcome 4', 'turn 5', 8])
  expect(withOutcomes(rows, turns, false, true).map(briefly).at(-1)).toBe('outcome 5')
  expect(withOutcomes(rows, turns, true, true).map(briefly).at(-1)).toBe(8)
  expect(withOutcomes(rows, [], false, true)).toEqual(rows)
  expect(turnsOf(messages)).toEqual([0, 5])
  expect(turnsOf(messages.slice(2, 3))).toEqual([-1, -1])
  expect(turns.map(whyOf)).toEqual(['overloaded', undefined, undefined, undefined, undefined, undefined])
  expect(whyOf(turn(0, { status: 'failed', flags: [flag('fail')] }))).toBe('fail: «boom»')
})

test('a line is shown by the message that it belongs to', () => {
  const rows = rowsOf([message(1, 'prompt', [text('One', 1)]), message(5, 'response', [text('Yes', 5)])], false)
  expect([0, 1, 4, 5, 99].map((line) => rowAtLine(rows, line))).toEqual([-1, 1, 1, 2, 2])
})

test('the model is named when it changes and at the beginning of a turn', () => {
  const say = (line: number, turn: number, model: string) => message(line, 'response', [text('…', line)], { turn, model })
  expect([...modelChanges([say(1, 0, 'a'), say(2, 0, 'a'), say(3, 0, 'b'), say(4, 1, 'b')])]).toEqual(['line:1', 'line:3', 'line:4'])
})

test('500 characters are shown of a longer text, whole words, with code blocks closed', () => {
  expect(clip('x'.repeat(CLIP))).toBeUndefined()
  expect(clip('x'.repeat(CLIP + 1))).toBeUndefined()
  const words = clip('word '.repeat(200))!
  expect(words).toMatch(/word …$/)
  expect(words.length).toBeLessThanOrEqual(CLIP + 2)
  expect(clip(`Look:\n\n\`\`\`ts\n${'const a = 1\n'.repeat(100)}\`\`\`\n`)).toMatch(/const a = 1\n```$/)
  expect(clip(`${'x'.repeat(CLIP - 1)}${'😀'.repeat(50)}`)).toBe(`${'x'.repeat(CLIP - 1)} …`)
})

test('colours of a terminal are not shown as characters', () => {
  expect(plain('\u001b[32m✓\u001b[0m ok \u001b]0;title\u0007[x]')).toBe('✓ ok [x]')
})

test('the mark of a cut is not part of the text', () => {
  expect(withoutMark('so far\n[truncated]')).toBe('so far')
  expect(withoutMark('[truncated] is a word')).toBe('[truncated] is a word')
})

test('what a harness put into a prompt is taken apart from the words; HTML is not', () => {
  const blocks = blocksOf('<system-reminder>\nBe brief.\n</system-reminder>\nFix the <b>login</b>\n<environment_context>linux</environment_context>')
  expect(blocks).toEqual([{ tag: 'system-reminder', text: 'Be brief.' }, { text: 'Fix the <b>login</b>' }, { tag: 'environment_context', text: 'linux' }])
  expect(blocksOf('plain')).toEqual([{ text: 'plain' }])
})

test('finding looks into calls, results and thoughts, whatever the case', () => {
  const rows = rowsOf(weave([message(1, 'prompt', [text('Fix it', 1)]), message(5, 'response', [thinking('FIX what?', 5), use('a', 6)]), result(7, 'a', 'fixed')]), false)
  const hits = findIn(rows, 'fix')
  expect(hits.map((h) => h.line)).toEqual([1, 5])
  expect(findIn(rows, ' ')).toEqual([])
  const response = rows.flatMap((r) => (r.kind === 'message' && r.message.line === 5 ? [r.message] : []))[0]!
  expect([...partsWith(response, 'fix')]).toEqual([0, 1])
})

test('the first hit is the newest; after that they follow each other', () => {
  const hits = [1, 5, 9].map((line) => ({ row: line, line }))
  expect(nextHit(hits, undefined, -1)?.line).toBe(9)
  expect(nextHit(hits, 9, -1)?.line).toBe(5)
  expect(nextHit(hits, 5, 1)?.line).toBe(9)
  expect(nextHit(hits, 9, 1)).toBeUndefined()
  expect(nextHit(hits, 6, -1)?.line).toBe(5)
})

test('Markdown keeps words as they are and folds the rest', () => {
  const messages = weave([message(1, 'prompt', [text('Fix **it**', 1)], { turn: 0 }), message(5, 'response', [thinking('hm', 5), text('Done.', 5), use('a', 6)], { turn: 0, model: 'fast' }), result(7, 'a', 'has ``` in it')])
  const md = conversationMarkdown('The\nlogin', messages)
  expect(md).toMatch(/^# The login\n\n## Turn 1\n\n### User\n\nFix \*\*it\*\*\n\n### Assistant · fast\n\n/)
  expect(md).toContain('<details><summary>Thinking</summary>')
  expect(md).toContain('<details><summary>Bash ls (ok)</summary>')
  expect(md).toContain('````\nhas ``` in it\n````')
  expect(md.match(/<details>/g)).toHaveLength(2)
})

test('a withheld thought is said to be withheld', () => {
  expect(messageMarkdown(message(1, 'response', [{ ...thinking('', 1), redacted: true }]))).toContain('withheld by the agent')
})

import { expect, test } from 'vitest'
import { compare, diffsOfArgs, isPatch, patchDiffs } from './diff'

const show = (lines: { sign: string; text: string }[]) => lines.map((l) => l.sign + l.text)

test('an edit shows what changes', () => {
  const [file] = diffsOfArgs(JSON.stringify({ file_path: '/a.ts', old_string: 'a\nb\nc\n', new_string: 'a\nB\nc\n' }))
  expect(file?.path).toBe('/a.ts')
  expect(show(file!.lines)).toEqual([' a', '-b', '+B', ' c'])
})

test('long unchanged stretches are left out', () => {
  const body = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n')
  expect(show(compare(`x\n${body}\ny\n`, `X\n${body}\nY\n`))).toEqual(['-x', '+X', ' line 0', ' line 1', ' line 2', '@14 unchanged', ' line 17', ' line 18', ' line 19', '-y', '+Y'])
})

test('several edits, a new file, and the other names', () => {
  expect(diffsOfArgs(JSON.stringify({ file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }, { old_string: '1', new_string: '2' }] }))).toHaveLength(2)
  expect(show(diffsOfArgs(JSON.stringify({ path: 'a', old_str: 'x', new_str: 'y' }))[0]!.lines)).toEqual(['-x', '+y'])
  expect(show(diffsOfArgs(JSON.stringify({ file_path: 'a', content: 'x\ny\n' }))[0]!.lines)).toEqual(['+x', '+y'])
})

test('what changes no file is no diff', () => {
  expect(diffsOfArgs(JSON.stringify({ command: 'ls' }))).toEqual([])
  expect(diffsOfArgs('{"file_path":"a","old_string":"cut o')).toEqual([])
})

test('patches of both kinds', () => {
  const codex = '*** Begin Patch\n*** Update File: src/a.ts\n@@ fn\n ctx\n-a\n+b\n*** Add File: src/b.ts\n+new\n*** End Patch'
  expect(isPatch(codex)).toBe(true)
  const files = patchDiffs(codex)
  expect(files.map((f) => f.path)).toEqual(['src/a.ts', 'src/b.ts'])
  expect(show(files[0]!.lines)).toEqual(['@fn', ' ctx', '-a', '+b'])

  const unified = 'diff --git a/x.go b/x.go\nindex 1..2 100644\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n ctx\n-a\n+b\n'
  expect(patchDiffs(unified)).toEqual([{ path: 'x.go', lines: [{ sign: '@', text: '-1,2 +1,2 ' }, { sign: ' ', text: 'ctx' }, { sign: '-', text: 'a' }, { sign: '+', text: 'b' }] }])
  expect(isPatch('just output\n- a list')).toBe(false)
  expect(diffsOfArgs(JSON.stringify({ input: codex }))).toHaveLength(2)
})

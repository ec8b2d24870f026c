import { expect, test } from 'vitest'
import { argOf, pretty, summarizeArgs } from './args'

test.each([
  ['{"command":"npm test","timeout":1000}', 'npm test'],
  ['{"command":["bash","-lc","ls"]}', 'bash -lc ls'],
  ['{"file_path":"/src/a.ts","old_string":"x"}', '/src/a.ts'],
  ['{"pattern":"foo","path":"src"}', 'src'],
  ['{"command":"echo \\"a\\"\\nsecond line"}', 'echo "a"'],
  ['{"command":"cut off in the mid', 'cut off in the mid'],
  ['{"todos":[{"x":1}]}', 'todos:[{x:1}]'],
  ['{}', ''],
  ['', ''],
  ['*** Begin Patch\n*** Update File: src/login.ts\n@@\n-a\n+b', 'src/login.ts'],
  ['plain words', 'plain words'],
])('summarizeArgs(%s) is %s', (args, want) => expect(summarizeArgs(args)).toBe(want))

test('a cut-off escape does not break the field', () => {
  expect(argOf('{"prompt":"caf\\u00', 'prompt')).toBe('caf')
  expect(argOf('{"prompt":"a\\', 'prompt')).toBe('a')
  expect(argOf('{"other":1}', 'prompt')).toBeUndefined()
})

test('JSON is laid out and the rest is left alone', () => {
  expect(pretty('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(pretty('{"a":')).toBe('{"a":')
  expect(pretty('exit 1')).toBe('exit 1')
})

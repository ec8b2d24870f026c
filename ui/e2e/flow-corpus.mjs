import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const LONG_SESSION = '5a5a5a5a-0000-4000-8000-000000005000'

/** A generator of numbers that is the same on every machine. */
function dice(seed) {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state % n
  }
}

const tools = [
  ['Read', (n) => ({ file_path: `/home/dev/shop/src/module${n % 90}.ts` })],
  ['Bash', (n) => ({ command: ['npm test', 'npm run build', 'git status', 'ls -la src', 'go vet ./...'][n % 5], description: 'Check' })],
  ['Grep', (n) => ({ pattern: `handler${n % 40}`, path: '/home/dev/shop/src' })],
  ['Edit', (n) => ({ file_path: `/home/dev/shop/src/module${n % 90}.ts`, old_string: `a${n}`, new_string: `b${n}` })],
  ['WebFetch', (n) => ({ url: `https://example.org/doc/${n % 12}` })],
]
const prompts = ['Fix the flaky login test and say why it failed', 'Now add a retry to the upload', 'Why does CI fail on main?', 'Rename the handlers to match the new routes', 'Write the migration and run it', 'Thanks, go on']

/** Writes a home with one session of `calls` tool calls over `turns` turns: loops, failures, fans and compactions among them. */
export function writeLongSession(home, { calls = 5000, turns = 240 } = {}) {
  const roll = dice(7)
  const dir = join(home, '.claude', 'projects', '-home-dev-shop')
  mkdirSync(dir, { recursive: true })
  const lines = []
  let clock = Date.UTC(2026, 9, 5, 8, 0, 0)
  let id = 0
  let parent = null
  const line = (fields, ms) => {
    clock += ms
    const uuid = `00000000-0000-4000-8000-${String(++id).padStart(12, '0')}`
    lines.push(JSON.stringify({ parentUuid: parent, isSidechain: false, ...fields, uuid, timestamp: new Date(clock).toISOString(), userType: 'external', cwd: '/home/dev/shop', sessionId: LONG_SESSION, version: '2.1.332', gitBranch: 'main' }))
    parent = uuid
  }
  const answer = (content, stop) =>
    line(
      {
        type: 'assistant',
        requestId: `req_${id}`,
        message: { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content, stop_reason: stop, usage: { input_tokens: 9, cache_creation_input_tokens: 800, cache_read_input_tokens: 20_000 + roll(60_000), output_tokens: 60 + roll(400) } },
      },
      700 + roll(2600),
    )
  let made = 0
  for (let turn = 0; turn < turns; turn++) {
    const left = calls - made
    const share = turn === turns - 1 ? left : Math.min(left, turn % 40 === 25 ? 150 : turn % 7 === 3 ? 0 : roll(Math.floor((2 * left) / (turns - turn)) + 1))
    line({ type: 'user', promptId: `p${turn}`, message: { role: 'user', content: `${prompts[turn % prompts.length]} (${turn + 1})` } }, 20_000 + roll(turn % 30 === 0 ? 9_000_000 : 200_000))
    for (let done = 0; done < share; ) {
      const looping = turn % 19 === 6 && done < 8
      const wide = looping ? 1 : Math.min(share - done, [1, 1, 1, 2, 1, 4, 1, 7][roll(8)])
      const asked = Array.from({ length: wide }, (_, k) => {
        const [name, input] = tools[looping ? 1 : (roll(9) + k) % tools.length]
        return { type: 'tool_use', id: `toolu_${made + k}`, name, input: input(looping ? 0 : roll(1000)) }
      })
      answer([...(roll(3) === 0 ? [{ type: 'text', text: 'Looking at what the last step says.' }] : []), ...asked], 'tool_use')
      for (const use of asked) {
        const failed = !looping && roll(60) === 0
        line({ type: 'user', promptId: `p${turn}`, message: { role: 'user', content: [{ tool_use_id: use.id, type: 'tool_result', content: failed ? 'Exit code 1\n2 failed' : 'ok', is_error: failed }] } }, 40 + roll(use.name === 'Bash' ? 9000 : 300))
      }
      made += wide
      done += wide
    }
    answer([{ type: 'text', text: 'Done: the tests pass and the change is small.' }], 'end_turn')
    if (turn % 45 === 44) line({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', isMeta: false, level: 'info', compactMetadata: { trigger: 'auto', preTokens: 155_000 } }, 4000)
  }
  writeFileSync(join(dir, `${LONG_SESSION}.jsonl`), lines.join('\n') + '\n')
}

import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

let ids = 0
const id = (prefix: string) => `${prefix}${String(++ids).padStart(6, '0')}`

type Content = Record<string, unknown>

const usage = { input_tokens: 12, cache_read_input_tokens: 9000, cache_creation_input_tokens: 300, output_tokens: 120 }

/** Writes a log as Claude Code 2.1 does, line by line, while turnwatch follows it. */
export class Transcript {
  readonly session = '0e2e0000-0000-4000-8000-000000000001'
  private readonly dir: string
  private readonly home: string
  private readonly cwd: string
  private at = Date.now()

  constructor(home: string, cwd = '/home/dev/app') {
    this.home = home
    this.cwd = cwd
    this.dir = join(home, '.claude', 'projects', '-home-dev-app')
  }

  /** Registers the session as one that this very process holds. */
  async hold(status: 'busy' | 'idle' | 'waiting', waitingFor?: string): Promise<void> {
    const dir = join(this.home, '.claude', 'sessions')
    await mkdir(dir, { recursive: true })
    const stat = await readFile('/proc/self/stat', 'utf8')
    const procStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    const entry = { pid: process.pid, sessionId: this.session, cwd: this.cwd, procStart, status, waitingFor, updatedAt: Date.now(), statusUpdatedAt: Date.now() }
    await writeFile(join(dir, `${process.pid}.json`), JSON.stringify(entry))
  }

  async prompt(text: string): Promise<void> {
    await this.write({ type: 'user', promptId: id('prompt'), message: { role: 'user', content: text } })
  }

  /** A response that asks for a tool; returns the call's id. */
  async call(name: string, input: Content, call = id('toolu_')): Promise<string> {
    await this.respond([{ type: 'tool_use', id: call, name, input }], 'tool_use')
    return call
  }

  async result(call: string, content: string, failed = false): Promise<void> {
    await this.write({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content, is_error: failed }] } })
  }

  async reply(text: string): Promise<void> {
    await this.respond([{ type: 'text', text }], 'end_turn')
  }

  /** Writes a line that is no record. */
  async damage(): Promise<void> {
    await appendFile(this.file, '{"type":"user","message":{"role"\n')
  }

  /** Writes the log anew with its first lines only, as after a rewind. */
  async rewrite(lines: number): Promise<void> {
    const all = await readFile(this.file, 'utf8')
    await writeFile(this.file, all.split('\n').slice(0, lines).join('\n') + '\n')
  }

  async remove(): Promise<void> {
    await rm(this.file)
  }

  /** Writes the whole log of a sub-agent: what it was asked and what it said. */
  async aside(agent: string, task: string, answer: string): Promise<void> {
    const dir = join(this.dir, this.session, 'subagents')
    await mkdir(dir, { recursive: true })
    await writeFile(join(dir, `agent-${agent}.meta.json`), JSON.stringify({ agentType: 'general-purpose', description: task }))
    const file = join(dir, `agent-${agent}.jsonl`)
    const more = { isSidechain: true, agentId: agent }
    await this.write({ ...more, type: 'user', message: { role: 'user', content: task } }, file)
    const message = { id: id('msg_'), type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [{ type: 'text', text: answer }], stop_reason: 'end_turn', usage }
    await this.write({ ...more, type: 'assistant', requestId: id('req_'), message }, file)
  }

  private get file(): string {
    return join(this.dir, `${this.session}.jsonl`)
  }

  private respond(content: Content[], stopReason: string): Promise<void> {
    const message = { id: id('msg_'), type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content, stop_reason: stopReason, usage }
    return this.write({ type: 'assistant', requestId: id('req_'), message })
  }

  private async write(record: Content, file = this.file): Promise<void> {
    this.at = Math.max(this.at + 10, Date.now())
    const common = {
      parentUuid: null, isSidechain: false, uuid: id('00000000-0000-4000-8000-000000'), timestamp: new Date(this.at).toISOString(),
      userType: 'external', cwd: this.cwd, sessionId: this.session, version: '2.1.332', gitBranch: 'main',
    }
    await mkdir(this.dir, { recursive: true })
    await appendFile(file, `${JSON.stringify({ ...common, ...record })}\n`)
  }
}

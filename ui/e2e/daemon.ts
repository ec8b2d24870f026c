import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { binary } from './build'

const daemonToken = 's3same-0p3n-th3-d00r'
const START_MS = 30_000

/** A running turnwatch with a data directory of its own. */
export class Daemon {
  url = ''
  token = ''
  readonly dir: string
  readonly home: string
  private process: ChildProcess | undefined
  private readonly args: string[]

  private constructor(dir: string, args: string[]) {
    this.dir = dir
    this.home = join(dir, 'home')
    this.args = args
  }

  /** Starts one on the bundled recordings. */
  static async demo(): Promise<Daemon> {
    const daemon = new Daemon(await mkdtemp(join(tmpdir(), 'turnwatch-e2e-')), ['--demo'])
    await daemon.start(0)
    return daemon
  }

  /** Starts one that looks for agents under an empty home. */
  static async empty(): Promise<Daemon> {
    const dir = await mkdtemp(join(tmpdir(), 'turnwatch-e2e-'))
    const daemon = new Daemon(dir, ['--home', join(dir, 'home'), '--data-dir', join(dir, 'data'), '--live-every', '300ms'])
    await daemon.start(0)
    return daemon
  }

  /** Starts one that asks for its token. */
  static async guarded(): Promise<Daemon> {
    const dir = await mkdtemp(join(tmpdir(), 'turnwatch-e2e-'))
    const daemon = new Daemon(dir, ['--home', join(dir, 'home'), '--data-dir', join(dir, 'data'), '--token', daemonToken])
    daemon.token = daemonToken
    await daemon.start(0)
    return daemon
  }

  /** Starts the process; port 0 takes any free one. */
  async start(port: number): Promise<void> {
    // The agents' own variables would make it look at the folders of whoever runs the tests.
    const child = spawn(binary, ['serve', '--no-browser', '--port', String(port), ...this.args], {
      env: { PATH: process.env['PATH'] ?? '', HOME: this.dir },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.process = child
    this.url = await new Promise<string>((resolve, reject) => {
      let output = ''
      const timer = setTimeout(() => reject(new Error(`no page after ${START_MS} ms:\n${output}`)), START_MS)
      const read = (chunk: Buffer): void => {
        output += String(chunk)
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
        if (url) {
          clearTimeout(timer)
          resolve(url)
        }
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', (code) => reject(new Error(`turnwatch ended with ${code}:\n${output}`)))
    })
    await this.ready()
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  private async ready(): Promise<void> {
    const until = Date.now() + START_MS
    while (Date.now() < until) {
      const health = await fetch(`${this.url}/api/health`, { headers: { authorization: `Bearer ${this.token}` } }).then((r) => r.json() as Promise<{ ready: boolean }>, () => undefined)
      if (health?.ready) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error('the history was not read in time')
  }

  async kill(): Promise<void> {
    const child = this.process
    if (!child || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }

  async stop(): Promise<void> {
    await this.kill()
    await rm(this.dir, { recursive: true, force: true })
  }
}

// The daemon under test, and what it tells: its API, and its messages with the time at which they came.
import { spawn } from 'node:child_process';
import { watch, statSync } from 'node:fs';

// until asks again and again until the answer is true, and returns it; undefined when it never was.
export async function until(ask, timeout = 15_000, every = 40) {
  for (const end = Date.now() + timeout; Date.now() < end; ) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((done) => setTimeout(done, every));
  }
}

export class Daemon {
  #child;

  static async start(program, home, dataDir) {
    const d = new Daemon();
    const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' };
    const args = ['serve', '--home', home, '--data-dir', dataDir, '--port', '4174', '--no-browser'];
    d.#child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    d.url = 'http://127.0.0.1:4174';
    if (!(await until(() => d.get('/api/health').then((h) => h.ready, () => false)))) throw new Error('the daemon did not start');
    return d;
  }

  async get(path) {
    const res = await fetch(this.url + path);
    if (!res.ok) throw new Error(`GET ${path}: ${res.status} ${await res.text()}`);
    return res.json();
  }

  session(id) { return this.get(`/api/sessions/${encodeURIComponent(id)}`); }
  turn(id, index) { return this.get(`/api/sessions/${encodeURIComponent(id)}/turns/${index}`); }

  async stop() {
    const ended = new Promise((done) => this.#child.once('exit', done));
    this.#child.kill('SIGTERM');
    await ended;
  }
}

// Messages collects what the socket tells, from a revision on; `at` is when each came.
export class Messages {
  all = [];
  #socket;

  static async open(daemon, query = '') {
    const m = new Messages();
    m.#socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws${query}`);
    await new Promise((done, fail) => {
      m.#socket.onerror = () => fail(new Error('the socket broke'));
      m.#socket.onmessage = ({ data }) => {
        m.all.push({ ...JSON.parse(data), at: Date.now() });
        done();
      };
    });
    return m;
  }

  // find waits for the first message like the one wanted.
  find(wanted, timeout) { return until(() => this.all.find(wanted), timeout, 5); }
  close() { this.#socket.close(); }
}

// Writes notes when a log grew, so that a message can be compared with it. The kernel notes a file's time with the
// precision of a clock tick (1 to 10 ms).
export class Writes {
  #seen = [];
  #watcher;

  constructor(path) {
    this.path = path;
    const look = () => {
      const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (size > (this.#seen.at(-1)?.size ?? -1)) this.#seen.push({ size, at: mtimeMs });
    };
    this.#watcher = watch(path, look);
    this.from = statSync(path).size;
  }

  // delays returns how many ms after its write each record's message came.
  delays(messages) {
    const out = [];
    for (const { type, ref, at } of messages) {
      if (type !== 'log.raw' || ref.offset < this.from) continue;
      const write = this.#seen.find((w) => w.size >= ref.offset + ref.length);
      if (write) out.push(at - write.at);
    }
    return out;
  }

  close() { this.#watcher.close(); }
}

// spread says the median and the largest of some delays.
export function spread(delays) {
  const sorted = delays.toSorted((a, b) => a - b);
  const ms = (x) => `${Math.max(0, Math.round(x))} ms`;
  return sorted.length ? `${sorted.length} records, median ${ms(sorted[sorted.length >> 1])}, most ${ms(sorted.at(-1))}` : 'no record';
}

// An agent in a terminal, as people use it: between two prompts its program stays and the session is idle.
import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './watch.mjs';

// Questions that programs ask their terminal, and a terminal's answers; some wait for them.
const answers = [['\x1b[6n', '\x1b[1;1R'], ['\x1b[c', '\x1b[?62;c'], ['\x1b[>0q', '\x1bP>|test\x1b\\']];

export class Terminal {
  output = '';
  #child;

  constructor(program, args, { cwd, env }) {
    this.program = program;
    const quoted = [program, ...args].map((a) => `'${a}'`).join(' ');
    const command = `stty rows 45 cols 140; exec ${quoted}`;
    this.#child = spawn('script', ['-qfec', command, '/dev/null'], { cwd, env: { ...env, TERM: 'xterm-256color' }, stdio: 'pipe' });
    this.ended = new Promise((done) => this.#child.once('exit', done));
    this.#child.stdout.on('data', (data) => {
      const text = data.toString();
      this.output += text;
      for (const [question, answer] of answers) if (text.includes(question)) this.type(answer);
    });
  }

  type(keys) { this.#child.stdin.write(keys); }

  // enter types a line; some programs take keys that come at once for a paste, in which Enter is a new line.
  async enter(line) {
    this.type(line);
    await new Promise((done) => setTimeout(done, 600));
    this.type('\r');
  }

  // runs reports whether pid is this terminal's program, or runs its script.
  runs(pid) {
    try {
      if (readlinkSync(join('/proc', String(pid), 'exe')) === this.program) return true;
      return readFileSync(join('/proc', String(pid), 'cmdline'), 'utf8').split('\0').includes(this.program);
    } catch {
      return false;
    }
  }

  close() { this.#child.kill('SIGKILL'); }
}

// inTerminal checks what is told of a session between prompts and, where the agent asks, while a human must answer.
export async function inTerminal(scenario) {
  const { agent, daemon, name } = scenario;
  const { args, prepare, asks, waiting, quit, daemon: held } = agent.terminal;
  prepare?.(scenario.home);
  const known = new Set((await daemon.get('/api/sessions?limit=100')).sessions.map((s) => s.id));
  const terminal = new Terminal(join(scenario.modules, agent.program), args('Now with a question. [[ask]]'), { cwd: scenario.work, env: scenario.env });
  // now asks for the session until it is as wanted, and returns it as it is at the end.
  const now = async (wanted, timeout) => {
    let s;
    await until(async () => {
      s = (await daemon.get('/api/sessions?limit=100')).sessions.find((x) => x.id.startsWith(`${name}:`) && !known.has(x.id));
      return s && wanted(s);
    }, timeout);
    return s ?? {};
  };
  if (asks) {
    const state = waiting ? 'waiting' : 'busy';
    const s = await now((x) => x.state === state && terminal.output.includes(agent.terminal.question ?? 'Do you want'), 25_000);
    scenario.check(`in a terminal: ${state} while a human is asked${s.waitingFor ? ` (${s.waitingFor})` : ''}`, s.state === state && terminal.runs(s.pid), s.state ?? 'no session');
    await scenario.look('asking', s.id);
    terminal.type(agent.terminal.answer ?? '\r');
  }
  const done = await now((x) => x.state === 'idle' && x.totals.roundTrips === 2, 60_000);
  const turn = done.id && (await daemon.turn(done.id, 0));
  scenario.check('in a terminal: the turn is ok', turn?.status === 'ok' && turn.toolCalls.length === 1 && turn.toolCalls[0].status === 'ok', turn?.status ?? 'no session');
  scenario.check('in a terminal: idle between prompts, and the pid is right', done.state === 'idle' && (held ? done.pid > 0 : terminal.runs(done.pid)), `${done.state}, pid ${done.pid}`);
  await scenario.look('idle', done.id);
  if (quit) {
    await terminal.enter(quit);
    const s = await now((x) => x.state === 'ended', 20_000);
    scenario.check('in a terminal: ended after quitting', s.state === 'ended' && !s.pid, s.state);
  }
  terminal.close();
}

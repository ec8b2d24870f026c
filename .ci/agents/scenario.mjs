// What is done with one agent, and what must then be seen: a turn watched while it runs, a second one by resuming, a
// program killed while a tool runs, one in a terminal, and what hooks tell.
import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { agents } from './agents.mjs';
import { hooked } from './hooks.mjs';
import { pause, stall } from './script.mjs';
import { inTerminal } from './terminal.mjs';
import { Messages, spread, until, Writes } from './watch.mjs';

// The daemon looks at processes every 5 s; some ms for the look itself.
const sweep = 6500;

export class Scenario {
  failed = 0;

  constructor(name, { program, daemon, model, modules, home, dataDir, work }) {
    Object.assign(this, { name, agent: agents[name], program, daemon, model, modules, home, dataDir, work });
  }

  note(text) { console.log(`        ${text}`); }

  check(what, ok, detail) {
    console.log(`  ${ok ? 'ok  ' : 'FAIL'}  ${what}${ok || detail === undefined ? '' : `: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`}`);
    if (!ok) this.failed++;
    return ok;
  }

  get env() {
    return { PATH: process.env.PATH, HOME: this.home, TERM: 'dumb', LANG: 'C.UTF-8', SHELL: '/bin/bash', ...this.agent.env(this.model.url) };
  }

  start(args) {
    const log = openSync(join(this.home, `${this.name}.out`), 'a');
    const child = spawn(join(this.modules, this.agent.program), args, { cwd: this.work, env: this.env, stdio: ['ignore', log, log] });
    const run = { pid: child.pid, running: true };
    run.ended = new Promise((done) => child.once('exit', (code, signal) => { run.running = false; done(code ?? signal); }));
    run.kill = (signal) => child.kill(signal);
    return run;
  }

  async run() {
    this.agent.prepare?.(this.home, this.model.url);
    const id = await this.watched();
    if (!id) return;
    await this.resumed(id);
    await this.killed();
    if (!this.agent.terminal) return; // nor hooks
    await inTerminal(this);
    await hooked(this);
  }

  // appears starts the agent with a prompt and waits for its session.
  async appears(prompt) {
    const news = await Messages.open(this.daemon);
    const { revision } = news.all[0];
    const run = this.start(this.agent.start(prompt));
    const mine = (m) => m.type === 'session.updated' && m.session.startsWith(`${this.name}:`) && m.revision > revision;
    // The registry of processes may know a session before its log does.
    const first = await until(async () => {
      const m = news.all.find(mine);
      return m && (await this.daemon.session(m.session).catch(() => undefined)) && m;
    }, 60_000);
    news.close();
    if (!this.check('the session appears while the agent runs', first && run.running, run.running ? 'no message' : `the program ended with ${await run.ended}`)) {
      run.kill('SIGKILL');
      return {};
    }
    const id = first.session; // its first turn may have come with it: what is told from then on counts
    const messages = await Messages.open(this.daemon, `?since=${news.all.find(mine).revision - 1}&session=${encodeURIComponent(id)}&raw=1`);
    const { path } = await this.daemon.session(id);
    await until(() => existsSync(path), 60_000); // an agent may delete an empty log and begin it anew
    const writes = new Writes(path);
    return { id, run, messages, writes };
  }

  // pending waits until the API shows a call as running, and returns it.
  pending(id, index, call) {
    return until(async () => {
      const turn = await this.daemon.turn(id, index).catch(() => undefined);
      return turn?.toolCalls?.find((c) => c.status === 'pending' && c.args.preview.includes(call.run));
    }, 30_000);
  }

  // says waits until the session's newest response is that text: where calls are shown late, the last thing before one.
  says(id, index, text) {
    return until(async () => {
      const turn = await this.daemon.turn(id, index).catch(() => undefined);
      return turn?.reply.preview.includes(text) && turn;
    }, 30_000);
  }

  // working checks what is told of a session whose program runs a tool.
  async working(id, run) {
    const live = await until(async () => {
      const s = await this.daemon.session(id);
      return s.state === 'busy' && s.pid === run.pid && s;
    }, sweep);
    const s = live ?? (await this.daemon.session(id));
    this.check('state is busy and the pid is right while it runs', live && run.running, `${s.state}, pid ${s.pid}, want busy, pid ${run.pid}`);
    if (!this.agent.late) {
      const turn = await this.daemon.turn(id, 0);
      this.check('the turn is open while it runs', turn.status === 'open' && run.running, turn.status);
    }
    const listed = (await this.daemon.get('/api/sessions/live')).sessions.some((l) => l.id === id);
    this.check('the session is listed as live', listed);
    await this.look('working', id);
  }

  async watched() {
    const { id, run, messages, writes } = await this.appears('Look at this project, please. [[tour]]');
    if (!id) return;
    const started = this.agent.promptFirst
      ? await until(async () => (await this.daemon.turn(id, 0).catch(() => ({}))).status === 'open', 30_000)
      : await messages.find((m) => m.type === 'turn.started' && m.turn === 0, 30_000);
    this.check(this.agent.promptFirst ? 'the turn comes while the agent runs' : 'turn.started comes while the agent runs', started && run.running);
    if (this.agent.late) await this.late(id, run);
    else {
      const call = await this.pending(id, 0, pause);
      const told = messages.all.some((m) => m.type === 'turn.tool_call' && m.status === 'pending' && m.call === call?.seq);
      this.check('a running call is pending, and the socket said so', call && told && run.running, { call: call?.seq, told, running: run.running });
    }
    await this.working(id, run);
    this.check('the agent ends well', (await run.ended) === 0, await run.ended);
    const completed = await messages.find((m) => m.type === 'turn.completed' && m.turn === 0);
    this.check('turn.completed comes, ok', completed?.status === 'ok', completed ?? 'no message');
    this.note(`from the agent's write to the message: ${spread(writes.delays(messages.all))}`);
    messages.close();
    writes.close();
    this.judged(await this.daemon.turn(id, 0));
    return id;
  }

  // late checks that it is said that a running call is not shown.
  async late(id, run) {
    const turn = await this.says(id, 0, 'I need a rest');
    const { runningUnknown } = await this.daemon.get('/api/health');
    const said = runningUnknown.some((u) => u.agent === this.name);
    this.check('health says that its running calls are unknown, and none is shown', said && run.running && turn?.toolCalls.length === 4, { runningUnknown, calls: turn?.toolCalls.length });
  }

  // judged checks the flags of a turn with a call that failed twice.
  judged(turn) {
    const [first, second] = turn.toolCalls.filter((c) => c.tool === this.agent.shell && c.args.preview.includes('missing.txt'));
    if (!this.check('both calls of the missing file failed', first?.status === 'failed' && second?.status === 'failed', turn.toolCalls.map((c) => [c.tool, c.status]))) return;
    const flag = (kind, call) => turn.flags.find((f) => f.kind === kind && f.at.kind === 'call' && f.at.seq === call.seq);
    const fails = turn.flags.filter((f) => f.kind === 'fail').map((f) => f.at.seq);
    this.check('the failing calls are flagged fail, and no other', String(fails) === String([first.seq, second.seq]), turn.flags);
    const retry = flag('retry', second);
    this.check('the retry is flagged and names the failure before', retry?.evidence.some((e) => e.at.kind === 'call' && e.at.seq === first.seq), turn.flags);
    this.check('the first failure is no retry', !flag('retry', first));
    for (const f of turn.flags) this.note(`${f.kind}: ${f.reason}`);
  }

  async resumed(id) {
    const before = (await this.daemon.get('/api/sessions?limit=100')).sessions.length;
    const run = this.start(this.agent.resume(id.split(':')[1], 'Once more, please. [[again]]'));
    const code = await run.ended;
    const s = await until(async () => {
      const now = await this.daemon.session(id);
      return now.totals.turns === 2 && !now.pid && now;
    }) ?? (await this.daemon.session(id));
    const after = (await this.daemon.get('/api/sessions?limit=100')).sessions.length;
    this.check('resume adds a second turn to the same session', code === 0 && s.totals.turns === 2 && after === before, { code, turns: s.totals.turns, before, after });
    const turn = await this.daemon.turn(id, 1);
    this.check('the second turn is ok', turn.status === 'ok' && turn.prompt.preview.includes('[[again]]'), [turn.status, turn.prompt]);
    this.check('the session has ended', s.state === 'ended' && !s.pid, s.state);
    this.counted(s, ['tour', 'again'], 5);
  }

  // counted compares a session's totals with what the model served; cut = the last answer's calls have not ended.
  counted(s, names, calls, cut) {
    const want = this.model.total(names);
    const got = s.totals.tokens;
    if (cut && this.agent.perTurn) {
      this.check('tokens of a turn that did not end are unknown', this.agent.classes.every((c) => got[c].quality === 'unknown'), got);
      return this.did(s, want, calls);
    }
    const unsaid = cut && this.agent.lateUsage; // then its usage was not written
    const last = unsaid ? this.model.served.at(-1).usage : {};
    const quality = unsaid ? 'partial' : 'exact';
    const differs = this.agent.classes.filter((c) => got[c].value !== want[c] - (last[c] ?? 0) || got[c].quality !== quality);
    this.check(`tokens are what the model served, ${unsaid ? 'but for the answer that was cut off' : 'exactly'}`, differs.length === 0, differs.map((c) => `${c} ${got[c].value} ${got[c].quality}, served ${want[c]}`).join('; '));
    this.did(s, want, calls);
  }

  did(s, want, calls) {
    this.check('round trips are what the model served', s.totals.roundTrips === want.roundTrips, `${s.totals.roundTrips}, served ${want.roundTrips}`);
    this.check('calls and failures are what the script asked for', s.totals.calls === calls + 1 && s.totals.failedCalls === 2, [s.totals.calls, s.totals.failedCalls]);
  }

  async killed() {
    const { id, run, messages, writes } = await this.appears('Now for something long. [[stall]]');
    if (!id) return;
    const call = this.agent.late ? undefined : await this.pending(id, 0, stall);
    const begun = this.agent.late ? await this.says(id, 0, 'This takes a while') : call;
    this.check('a long call is pending', begun && run.running);
    await until(async () => (await this.daemon.session(id)).pid === run.pid, sweep);
    await this.look('stalled', id);
    run.kill('SIGKILL');
    await run.ended;
    const since = Date.now();
    const gone = await until(async () => {
      const s = await this.daemon.session(id);
      return ['crashed', 'ended'].includes(s.state) && s;
    }, sweep);
    this.check('SIGKILL ends the session within a sweep', gone, 'still live');
    this.note(`seen ${Date.now() - since} ms after the kill, as ${gone?.state}`);
    const turn = await until(async () => {
      const t = await this.daemon.turn(id, 0);
      return t.status !== 'open' && t;
    }, sweep) ?? (await this.daemon.turn(id, 0));
    if (!this.agent.late) {
      const left = turn.toolCalls.find((c) => c.seq === call?.seq)?.status;
      this.check('its turn is abandoned', turn.status === 'abandoned', turn.status);
      this.check('its call was lost', left === 'lost' || left === 'interrupted', left);
    }
    this.counted(await this.daemon.session(id), ['stall'], this.agent.late ? 3 : 4, true);
    await this.look('killed', id);
    messages.close();
    writes.close();
  }

  // look runs the command LOOK, to take a picture of the page.
  async look(name, id) {
    if (!process.env.LOOK) return;
    const args = ['-c', `${process.env.LOOK} "$@"`, '_', this.daemon.url, `${this.name}-${name}`, id];
    const child = spawn('bash', args, { stdio: 'inherit', timeout: 30_000 });
    await new Promise((done) => child.once('exit', done));
  }
}

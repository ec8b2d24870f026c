// What agents tell by their hooks: they are installed as a user installs them, and a turn is watched by what runs in it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rest } from './script.mjs';
import { Terminal } from './terminal.mjs';
import { Messages, until } from './watch.mjs';

// trust does what the user does who is shown Codex's new hooks and says yes: it notes the hash of each. The hash is of
// the hook as JSON with sorted keys and the defaults filled in (seen in 0.171.0).
function trust(home) {
  const file = join(home, '.codex', 'hooks.json');
  const lines = [];
  for (const [event, groups] of Object.entries(JSON.parse(readFileSync(file)).hooks)) {
    const snake = event.replace(/(?!^)([A-Z])/g, '_$1').toLowerCase();
    groups.forEach(({ matcher, hooks }, g) => hooks.forEach(({ type, command, timeout = 600, async = false, statusMessage }, h) => {
      const hook = { async, command, ...(statusMessage && { statusMessage }), timeout, type };
      const text = JSON.stringify({ event_name: snake, hooks: [hook], ...(matcher !== undefined && { matcher }) });
      const hash = createHash('sha256').update(text).digest('hex');
      lines.push(`[hooks.state."${file}:${snake}:${g}:${h}"]`, 'enabled = true', `trusted_hash = "sha256:${hash}"`);
    }));
  }
  appendFileSync(join(home, '.codex', 'config.toml'), `\n${lines.join('\n')}\n`);
}

// command runs the program's own hooks command for all sessions of the agent.
function command({ program, name, home, dataDir }, verb) {
  const args = ['hooks', verb, '--user', '--agent', name, '--home', home, '--data-dir', dataDir];
  const { status, stderr } = spawnSync(program, args, { env: { PATH: process.env.PATH, HOME: home }, encoding: 'utf8' });
  return status === 0 ? '' : stderr || `ended with ${status}`;
}

// hooked installs the hooks, checks what is told of a turn with two identical calls side by side, and of one that a human
// is asked about, and takes the hooks out again.
export async function hooked(scenario) {
  const { daemon, name, home } = scenario;
  const said = command(scenario, 'install');
  if (!scenario.check('hooks are installed', !said, said)) return;
  if (name === 'codex') trust(home);
  await sideBySide(scenario);
  const { asks, asking } = scenario.agent.terminal;
  if (asks || asking) await asked(scenario);
  const gone = command(scenario, 'uninstall');
  const left = (await daemon.get('/api/running-tools')).tools;
  scenario.check('hooks are taken out, and nothing runs any more', !gone && left.length === 0, gone || left);
}

async function sideBySide(scenario) {
  const { agent, daemon, name } = scenario;
  const started = agent.started ?? 'pretooluse';
  const news = await Messages.open(daemon);
  const { revision } = news.all[0];
  const run = scenario.start(scenario.agent.start('Please rest. [[rest]]'));
  const mine = (m) => m.session?.startsWith(`${name}:`) && m.revision >= revision;
  const lists = () => news.all.filter((m) => m.type === 'running_tools.updated' && mine(m));
  const busy = await until(() => lists().find((m) => m.data.tools.length === 2), 60_000, 5);
  scenario.check('two chips appear while two calls run', busy && run.running && busy.data.tools.every((t) => t.args.includes(rest.run)), busy?.data ?? lists().map((m) => m.data));
  const id = busy?.session;
  const told = id && !agent.late && (await until(async () => {
    const { tools } = await daemon.get(`/api/sessions/${encodeURIComponent(id)}/running-tools`);
    return tools.length === 2 && tools.every((t) => t.call !== undefined) && run.running && tools;
  }, 3000));
  if (!agent.late) scenario.check('both are calls of the log while they run', told, lists().at(-1)?.data);
  scenario.check('the agent ends well', (await run.ended) === 0);
  const none = await until(() => lists().at(-1)?.data.tools.length === 0, 5000);
  scenario.check('the chips are gone', none, lists().at(-1)?.data);
  const most = Math.max(0, ...lists().map((m) => m.data.tools.length));
  scenario.check('no call ever had two chips', most === 2, lists().map((m) => m.data.tools.map((t) => `${t.id} ${t.call}`)));
  const hooks = news.all.filter((m) => m.type === 'hook.received' && mine(m));
  scenario.check('hooks told of both calls', hooks.filter((m) => m.data.event.toLowerCase() === started).length === 2, hooks.map((m) => m.data.event));
  const session = id && (await daemon.session(id));
  scenario.check('hooks count nothing', session?.totals.calls === 2 && session.totals.turns === 1, session && [session.totals.calls, session.totals.turns]);
  const first = lists().find((m) => m.data.tools.length > 0);
  const ended = news.all.find((m) => m.type === 'turn.completed' && m.session === id) ?? news.all.findLast((m) => m.type === 'session.updated' && m.session === id);
  if (first && hooks[0]) {
    const pre = hooks.find((m) => m.data.event.toLowerCase() === started);
    scenario.note(`first chip ${first.at - (pre?.at ?? first.at)} ms after its hook, ${(ended?.at ?? first.at) - first.at} ms before the end; ${first.data.tools[0].call === undefined ? 'before the log showed the call' : 'the log showed the call already'}`);
  }
  scenario.note(`hooks: ${[...new Set(hooks.map((m) => m.data.event))].join(' ')}`);
  news.close();
}

async function asked(scenario) {
  const { daemon, name, agent } = scenario;
  const waits = () => until(async () => (await daemon.get('/api/running-tools')).tools.find((t) => t.session.startsWith(`${name}:`) && t.waiting), 25_000);
  const terminal = new Terminal(join(scenario.modules, agent.program), (agent.terminal.asking ?? agent.terminal.args)('Now with a question. [[ask]]'), { cwd: scenario.work, env: scenario.env });
  const tool = await waits();
  scenario.check('in a terminal: a chip waits for a human', tool?.args.includes('touch asked.txt'), tool ?? terminal.output.slice(-500));
  if (tool) await scenario.look('chip-waiting', tool.session);
  await until(() => terminal.output.includes(agent.terminal.question ?? 'Do you want'), 10_000);
  terminal.type(agent.terminal.answer ?? '\r');
  const over = await until(async () => !(await daemon.get('/api/running-tools')).tools.some((t) => t.session === tool?.session), 15_000);
  scenario.check('in a terminal: it is gone once the answer is given', over);
  if (agent.terminal.quit) await terminal.enter(agent.terminal.quit);
  await new Promise((done) => setTimeout(done, 500));
  terminal.close();
}

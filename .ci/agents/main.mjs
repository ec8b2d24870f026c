// usage: main.mjs TURNWATCH NODE_MODULES DIR: runs every agent against the scripted model, while the daemon watches.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { agents, setWork } from './agents.mjs';
import { Model } from './model.mjs';
import { Scenario } from './scenario.mjs';
import { Daemon } from './watch.mjs';

const [program, modules, dir] = process.argv.slice(2).map((p) => realpathSync(resolve(p)));
const home = join(dir, 'home');
const work = join(home, 'project');
mkdirSync(work, { recursive: true });
writeFileSync(join(work, 'notes.txt'), 'first note\nsecond note\n');
const commit = 'git init -q -b trunk && git add . && git -c user.name=dev -c user.email=dev@example.com commit -q -m first';
spawnSync('bash', ['-c', commit], { cwd: work, env: { PATH: process.env.PATH, HOME: home }, stdio: 'inherit' });
setWork(work);

const dataDir = join(dir, 'data');
const daemon = await Daemon.start(program, home, dataDir);
let failed = 0;
for (const name of process.env.AGENTS?.split(/[ ,]+/) ?? Object.keys(agents)) {
  const agent = agents[name];
  const { version } = JSON.parse(readFileSync(join(modules, agent.package, 'package.json')));
  console.log(`\n== ${name} ${version}`);
  if (existsSync(`${join(modules, agent.program)}.br`)) agent.unpack?.(join(modules, agent.program));
  if (!existsSync(join(modules, agent.program))) {
    console.log(`  skipped: ${agent.package} has no program for this machine (${process.platform} ${process.arch})`);
    continue;
  }
  const model = await new Model(name).listen();
  const scenario = new Scenario(name, { program, daemon, model, modules, home, dataDir, work });
  await scenario.run();
  model.close();
  if (scenario.failed) {
    const out = join(home, `${name}.out`);
    if (existsSync(out)) console.log(`  the agent printed:\n${readFileSync(out, 'utf8').slice(-2000).replace(/^/gm, '    ')}`);
    console.log(`  the model served ${JSON.stringify(model.served.map((s) => `${s.script} ${s.step}`))}, aside ${JSON.stringify(model.aside)}, refused ${JSON.stringify(model.unexpected)}`);
  }
  failed += scenario.failed;
}

const { unknownRecords, warnings } = await daemon.get('/api/health');
console.log('\n== health');
const clean = unknownRecords.length === 0 && warnings.length === 0;
console.log(`  ${clean ? 'ok  ' : 'FAIL'}  no unknown records, no warnings${clean ? '' : `: ${JSON.stringify({ unknownRecords, warnings })}`}`);
failed += clean ? 0 : 1;
await daemon.stop();
console.log(failed ? `\n${failed} checks failed` : '\nall checks passed');
process.exit(failed ? 1 : 0);

// How each agent is started against the scripted model, and what its tools are called.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { ask } from './script.mjs';

// Made up; some agents refuse to start without one.
const key = 'scripted-key-that-opens-nothing';

const arch = process.arch;

// work is where the agents work; set once, before anything starts.
let work = '';
export function setWork(dir) { work = dir; }

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

export const agents = {
  claude: {
    package: '@anthropic-ai/claude-code',
    program: `@anthropic-ai/claude-code-linux-${arch}/claude`,
    env: (url) => ({
      ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1', DISABLE_AUTOUPDATER: '1', IS_SANDBOX: '1',
    }),
    start: (prompt) => ['-p', prompt, '--dangerously-skip-permissions'],
    resume: (id, prompt) => ['-p', prompt, '--dangerously-skip-permissions', '--resume', id],
    shell: 'Bash',
    tools: {
      run: (command) => ({ name: 'Bash', args: { command, description: command } }),
      read: (file, cwd) => ({ name: 'Read', args: { file_path: join(cwd, file) } }),
    },
    // The protocol counts no reasoning.
    classes: ['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output'],
    terminal: {
      args: (prompt) => ['--permission-mode', 'manual', prompt],
      // The dialogs of a first start, answered.
      prepare: (home) => write(join(home, '.claude.json'), {
        hasCompletedOnboarding: true, customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
        projects: { [work]: { hasTrustDialogAccepted: true } },
      }),
      asks: true, waiting: true, quit: '/exit',
    },
  },
  codex: {
    package: '@openai/codex',
    program: `@openai/codex-linux-${arch}/vendor/${arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl/bin/codex`,
    env: () => ({ SCRIPTED_KEY: key }),
    prepare: (home, url) => write(join(home, '.codex', 'config.toml'), [
      'model = "scripted-model"', 'model_provider = "scripted"', '[model_providers.scripted]', 'name = "Scripted"',
      `base_url = "${url}/v1"`, 'wire_api = "responses"', 'env_key = "SCRIPTED_KEY"',
      `[projects."${work}"]`, 'trust_level = "trusted"', '',
    ].join('\n')),
    start: (prompt) => ['exec', '--dangerously-bypass-approvals-and-sandbox', prompt],
    resume: (id, prompt) => ['exec', '--dangerously-bypass-approvals-and-sandbox', 'resume', id, prompt],
    shell: 'exec_command',
    tools: {
      // It yields a running command after 10 s unless told otherwise.
      run: (cmd) => ({ name: 'exec_command', args: { cmd, yield_time_ms: 30000 } }),
      read: (file) => ({ name: 'exec_command', args: { cmd: `cat ${file}` } }),
    },
    classes: ['input', 'cacheRead', 'output', 'reasoning'],
    terminal: {
      args: (prompt) => ['--no-alt-screen', '--dangerously-bypass-approvals-and-sandbox', prompt],
      // A daemon that the program starts holds the session, and goes on holding it when the program has ended (0.171.0).
      daemon: true,
    },
  },
  copilot: {
    package: '@github/copilot',
    program: `@github/copilot-linux-${arch}/copilot`,
    env: (url) => ({
      COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false', COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai', COPILOT_MODEL: 'scripted-model',
    }),
    start: (prompt) => ['-p', prompt, '--allow-all-tools', '--allow-all-paths'],
    resume: (id, prompt) => ['-p', prompt, '--allow-all-tools', '--allow-all-paths', `--resume=${id}`],
    shell: 'bash',
    tools: {
      run: (command) => ({ name: 'bash', args: { command, description: command, initial_wait: 60 } }),
      read: (file, cwd) => ({ name: 'view', args: { path: join(cwd, file) } }),
    },
    classes: ['input', 'cacheRead', 'output', 'reasoning'],
    terminal: {
      args: (prompt) => ['-i', prompt],
      prepare: (home) => write(join(home, '.copilot', 'config.json'), { trustedFolders: [work] }),
      asks: true, waiting: true, quit: '/exit',
    },
  },
  gemini: {
    package: '@google/gemini-cli',
    program: '@google/gemini-cli/bundle/gemini.js',
    env: (url) => ({
      GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: 'true', // one process, so that killing it kills all of it
    }),
    prepare: (home) => write(join(home, '.gemini', 'settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' } }, general: { enableAutoUpdate: false }, privacy: { usageStatisticsEnabled: false },
    }),
    start: (prompt) => ['-m', 'scripted-model', '--skip-trust', '--yolo', '-p', prompt],
    resume: (id, prompt) => ['-m', 'scripted-model', '--skip-trust', '--yolo', '-r', id, '-p', prompt],
    shell: 'run_shell_command',
    tools: {
      run: (command) => ({ name: 'run_shell_command', args: { command, description: command } }),
      read: (file, cwd) => ({ name: 'read_file', args: { file_path: join(cwd, file) } }),
    },
    classes: ['input', 'cacheRead', 'output', 'reasoning'],
    // Its log shows the calls of a response when the last of them has ended: what runs only hooks tell.
    late: true,
    started: 'beforetool',
    terminal: {
      args: (prompt) => ['-m', 'scripted-model', '--skip-trust', '--yolo', '-i', prompt],
      asking: (prompt) => ['-m', 'scripted-model', '--skip-trust', '-i', prompt],
      question: 'Allow execution', quit: '/quit',
    },
  },
  opencode: {
    package: 'opencode-ai',
    program: `opencode-linux-${arch}/bin/opencode`,
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' }),
    prepare: (home, url) => write(join(home, '.config', 'opencode', 'opencode.json'), {
      autoupdate: false, share: 'disabled', model: 'scripted/scripted-model', small_model: 'scripted/scripted-model',
      permission: { edit: 'allow', bash: 'allow' },
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible', name: 'Scripted', options: { baseURL: `${url}/v1`, apiKey: key },
          models: { 'scripted-model': { name: 'Scripted', limit: { context: 128000, output: 8000 } } },
        },
      },
    }),
    start: (prompt) => ['run', prompt],
    resume: (id, prompt) => ['run', '--session', id, prompt],
    shell: 'bash',
    tools: {
      run: (command) => ({ name: 'bash', args: { command, description: command } }),
      read: (file, cwd) => ({ name: 'read', args: { filePath: join(cwd, file) } }),
    },
    classes: ['input', 'cacheRead', 'output', 'reasoning'],
    lateUsage: true, // a response's usage is written when its calls have ended
  },
  grok: {
    package: '@xai-official/grok',
    program: `@xai-official/grok-linux-${arch}/bin/grok`,
    // The package has its program compressed; its own script would unpack it into the user's home.
    unpack: (program) => existsSync(program) || writeFileSync(program, brotliDecompressSync(readFileSync(`${program}.br`)), { mode: 0o755 }),
    env: () => ({ GROK_DISABLE_AUTOUPDATER: '1' }),
    prepare: (home, url) => write(join(home, '.grok', 'config.toml'), [
      '[models]', ...['default', 'web_search', 'session_summary', 'image_description', 'prompt_suggestion'].map((use) => `${use} = "scripted"`),
      '[model.scripted]', 'model = "scripted-model"', 'name = "Scripted"', `base_url = "${url}/v1"`, `api_key = "${key}"`,
      'api_backend = "chat_completions"', 'context_window = 128000', '',
    ].join('\n')),
    start: (prompt) => ['-p', prompt, '--always-approve'],
    resume: (id, prompt) => ['-p', prompt, '-r', id, '--always-approve'],
    shell: 'run_terminal_command',
    tools: {
      // It asks before it writes a file, and not before every command.
      run: (command, cwd) => (command === ask.run
        ? { name: 'write', args: { file_path: join(cwd, 'asked.txt'), content: command } }
        : { name: 'run_terminal_command', args: { command, description: command } }),
      read: (file, cwd) => ({ name: 'read_file', args: { target_file: join(cwd, file) } }),
    },
    classes: ['input', 'cacheRead', 'output', 'reasoning'],
    // It states usage as a turn ends, and of the turn as a whole: nobody knows what a killed one consumed.
    perTurn: true,
    // Its log begins with the prompt, so that the turn comes with the session, and no message of its own before that.
    promptFirst: true,
    terminal: {
      args: (prompt) => [prompt],
      asks: true, waiting: true, question: 'Action Required', answer: '3', quit: '/quit',
    },
  },
};

// toolOf says a scripted call in an agent's own words.
export function toolOf(agent, call) {
  const [what, value] = Object.entries(call)[0];
  return agents[agent].tools[what](value, work);
}

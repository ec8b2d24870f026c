import type { HighlighterCore, LanguageInput } from 'shiki/core'
import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

export interface Token {
  text: string
  color: string | undefined
}
export type Line = Token[]

// Each grammar is a file of its own that is fetched when the first block in its language is shown.
const languages: Record<string, () => Promise<{ default: LanguageInput }>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

const aliases: Record<string, string> = {
  sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', 'c++': 'c', cpp: 'c', golang: 'go', javascript: 'typescript', js: 'typescript', jsx: 'tsx', mjs: 'typescript',
  jsonc: 'json', jsonl: 'json', py: 'python', rs: 'rust', ts: 'typescript', yml: 'yaml', patch: 'diff', xml: 'html',
}

let highlighter: Promise<HighlighterCore> | undefined

function theHighlighter(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'turnwatch', variablePrefix: '--code-' })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  return highlighter
}

/** The tokens of text with their colours, which are variables of styles/theme.css; undefined for an unknown language. */
export async function highlight(text: string, language: string): Promise<Line[] | undefined> {
  const wanted = language.toLowerCase()
  const name = aliases[wanted] ?? wanted
  const load = languages[name]
  if (!load) return undefined
  const core = await theHighlighter()
  if (!core.getLoadedLanguages().includes(name)) await core.loadLanguage((await load()).default)
  const { tokens } = core.codeToTokens(text, { lang: name, theme: 'turnwatch' })
  return tokens.map((line) => line.map((t) => ({ text: t.content, color: t.color })))
}

// Writes ../prices.json and ../testdata/costs.json from the npm package @pydantic/genai-prices, which must be installed in
// the folder given as first argument. A development tool: Turnwatch itself never runs Node and fetches no price.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, date] = process.argv.slice(2)
if (!folder || !/^\d{4}-\d{2}-\d{2}$/.test(date ?? '')) {
  console.error('usage: node gen.mjs <folder with node_modules> <release date of the package, YYYY-MM-DD>')
  process.exit(2)
}
const root = join(resolve(folder), 'node_modules/@pydantic/genai-prices')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { calcPrice, findProvider } = await import(pathToFileURL(createRequire(join(root, 'package.json')).resolve('./dist/index.cjs')))

// Makers of models, whose names stand in logs as they are. Resellers price the same names differently and are left out.
const makers = ['anthropic', 'openai', 'google', 'x-ai', 'deepseek', 'moonshotai', 'mistral', 'zhipuai', 'minimax', 'cursor']
const classes = { input: 'input_mtok', cacheRead: 'cache_read_mtok', cacheWrite: 'cache_write_mtok', cacheWrite1h: 'cache_write_1h_mtok', output: 'output_mtok' }
const at = new Date(`${date}T12:00:00Z`)

// Go's regexps know no look-ahead. A leading one becomes a "not"; the one that refuses names with a slash is dropped, because
// Turnwatch cuts off what stands before a slash.
function match(m) {
  if (m.or) return { or: m.or.map(match) }
  if (m.and) return { and: m.and.map(match) }
  if (!m.regex) return m
  const regex = m.regex.replace('(?![^/]+/)', '')
  const ahead = /^\^\(\?!((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)(.*)$/.exec(regex)
  const made = ahead ? { and: [{ not: { regex: `^${ahead[1]}` } }, { regex: `^${ahead[2]}` }] } : { regex }
  if (/\(\?[!=<]/.test(JSON.stringify(made))) throw new Error(`look-around in ${m.regex}`)
  return made
}

// The prices that hold at the package's date, at the usual time of day.
function current(prices) {
  if (!Array.isArray(prices)) return prices
  const due = prices.filter((p) => !p.constraint || (p.constraint.type === 'start_date' && new Date(p.constraint.start_date) <= at))
  return (due.at(-1) ?? prices[0]).prices
}

const price = (p) => (typeof p === 'object' ? { base: p.base, tiers: p.tiers.map(({ start, price }) => ({ start, price })) } : p)

const providers = makers.map((id) => {
  const p = findProvider({ providerId: id })
  const models = p.models.flatMap((m) => {
    const now = current(m.prices)
    if (now.input_mtok === undefined || now.output_mtok === undefined) return [] // not for text
    const own = Object.entries(classes).filter(([, key]) => now[key] !== undefined)
    return [{ id: m.id, match: match(m.match), ...Object.fromEntries(own.map(([name, key]) => [name, price(now[key])])) }]
  })
  return { id, match: match(p.model_match), models }
})
const licence = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
const head = { date, source: `npm @pydantic/genai-prices ${version}, MIT licence`, licence, unit: 'USD per million tokens' }
const lines = providers.map((p) => `{"id":"${p.id}","match":${JSON.stringify(p.match)},"models":[\n${p.models.map((m) => JSON.stringify(m)).join(',\n')}\n]}`)
const fields = Object.entries(head).map(([k, v]) => `"${k}":${JSON.stringify(v)}`)
writeFileSync(join(import.meta.dirname, '../prices.json'), `{\n${fields.join(',\n')},\n"providers":[\n${lines.join(',\n')}\n]}\n`)

// What the package itself says that some usages cost, as a test for our reading of its prices.
const usages = [
  { input: 1000, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 500 },
  { input: 12, cacheRead: 48210, cacheWrite5m: 1530, cacheWrite1h: 0, output: 812 },
  { input: 7, cacheRead: 90000, cacheWrite5m: 200, cacheWrite1h: 4100, output: 1 },
  { input: 3000, cacheRead: 250000, cacheWrite5m: 0, cacheWrite1h: 0, output: 9000 },
]
const costs = providers.flatMap((p) =>
  p.models.flatMap((m) => {
    const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, m.id, { timestamp: at })
    if (found?.provider.id !== p.id || found.model.id !== m.id) return [] // its id is no name that stands in logs
    if (Array.isArray(found.model.prices) && found.model.prices.some((x) => x.constraint?.type === 'time_of_date')) return []
    return usages.map((u) => {
      const sum = u.input + u.cacheRead + u.cacheWrite5m + u.cacheWrite1h
      const usage = { input_tokens: sum, cache_read_tokens: u.cacheRead, cache_write_tokens: u.cacheWrite5m + u.cacheWrite1h, output_tokens: u.output }
      if (found.model_price.cache_write_1h_mtok !== undefined) usage.cache_write_1h_tokens = u.cacheWrite1h
      return { model: m.id, usage: u, usd: calcPrice(usage, m.id, { timestamp: at }).total_price }
    })
  }),
)
writeFileSync(join(import.meta.dirname, '../testdata/costs.json'), `[\n${costs.map((c) => JSON.stringify(c)).join(',\n')}\n]\n`)
console.log(`${providers.reduce((n, p) => n + p.models.length, 0)} models, ${costs.length} costs`)

/** Where numbers stand on a line of `width`; heavy tails are drawn on a logarithmic one. */
export interface Scale {
  at: (value: number) => number
  log: boolean
}

const LOG_FROM = 50 // times the smallest: beyond, a linear axis pushes all but a few dots into its corner

export function scaleOf(values: number[], width: number, pad: number): Scale {
  const min = Math.min(...values)
  const max = Math.max(...values)
  const log = min > 0 && max / min > LOG_FROM
  const f = log ? Math.log : (v: number) => v
  const low = f(min)
  const span = f(max) - low
  const part = (v: number) => (span === 0 ? 0.5 : log && v <= 0 ? 0 : clamp((f(v) - low) / span))
  return { at: (v) => pad + part(v) * (width - 2 * pad), log }
}

function clamp(n: number): number {
  return Math.min(1, Math.max(0, n))
}

export interface Dot {
  x: number
  y: number // off the middle of the lane
  session: string
  value: number
}

/** Puts dots that would cover each other above and below one another, within ±spread. */
export function swarm(runs: { session: string; value: number }[], at: (v: number) => number, radius: number, spread: number): Dot[] {
  const placed: Dot[] = []
  for (const run of [...runs].sort((a, b) => a.value - b.value)) {
    const x = at(run.value)
    const near = placed.filter((d) => Math.abs(d.x - x) < radius * 2)
    const y = offsets(radius, spread).find((o) => near.every((d) => Math.hypot(d.x - x, d.y - o) >= radius * 1.7))
    // A full column: the rest lie over one another, spread as evenly as may be.
    placed.push({ x, y: y ?? ((placed.length * 7) % (2 * spread)) - spread, ...run })
  }
  return placed
}

function offsets(radius: number, spread: number): number[] {
  const out = [0]
  for (let o = radius * 1.8; o <= spread; o += radius * 1.8) out.push(-o, o)
  return out
}

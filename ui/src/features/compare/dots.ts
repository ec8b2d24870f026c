/** Where numbers stand on a line of `width`. */
export interface Scale {
  at: (value: number) => number
  log: boolean
  min: number
  max: number
}

const SKEWED = 12 // times the middle one: beyond, a linear axis pushes all but a few dots into its corner

function quantile(sorted: number[], q: number): number {
  return sorted[Math.round((sorted.length - 1) * q)] ?? 0
}

/** A linear axis, or one that is linear near 0 and logarithmic far from it if the numbers have a heavy tail. */
export function scaleOf(values: number[], width: number, pad: number): Scale {
  const sorted = [...values].sort((a, b) => a - b)
  const min = sorted[0] ?? 0
  const max = sorted.at(-1) ?? 0
  const positive = sorted.filter((v) => v > 0)
  const log = min >= 0 && max > SKEWED * quantile(positive, 0.5)
  const unit = quantile(positive, 0.25) || 1
  const f = log ? (v: number) => Math.log1p(Math.max(0, v) / unit) : (v: number) => v
  const low = f(min)
  const span = f(max) - low
  const part = (v: number) => (span === 0 ? 0.5 : Math.min(1, Math.max(0, (f(v) - low) / span)))
  return { at: (v) => pad + part(v) * (width - 2 * pad), log, min, max }
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
  const places = offsets(radius, spread)
  for (const run of [...runs].sort((a, b) => a.value - b.value)) {
    const x = at(run.value)
    const near = placed.filter((d) => x - d.x < radius * 2)
    const y = places.find((o) => near.every((d) => Math.hypot(d.x - x, d.y - o) >= radius * 1.7))
    // A full column: the rest lie over one another, spread as evenly as may be.
    placed.push({ x, y: y ?? places[placed.length % places.length]!, ...run })
  }
  return placed
}

function offsets(radius: number, spread: number): number[] {
  const out = [0]
  for (let o = radius * 1.8; o <= spread; o += radius * 1.8) out.push(-o, o)
  return out
}

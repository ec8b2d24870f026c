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

/** Where a key leads from a dot: along its lane by value, or to the nearest dot of the other lane, whose dots come behind. */
export function stepDot(a: Dot[], b: Dot[]): (at: number, key: string) => number | undefined {
  return (at, key) => {
    const own = at < a.length ? { dots: a, from: 0 } : { dots: b, from: a.length }
    const place = at - own.from
    const end = own.dots.length - 1
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: end }[key]
    if (to !== undefined) return own.from + Math.min(end, Math.max(0, to))
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
    const other = key === 'ArrowUp' ? a : b
    if (other === own.dots || other.length === 0) return at
    const x = own.dots[place]!.x
    const near = other.reduce((best, d, i) => (Math.abs(d.x - x) < Math.abs(other[best]!.x - x) ? i : best), 0)
    return (other === a ? 0 : a.length) + near
  }
}

function offsets(radius: number, spread: number): number[] {
  const out = [0]
  for (let o = radius * 1.8; o <= spread; o += radius * 1.8) out.push(-o, o)
  return out
}

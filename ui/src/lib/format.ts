import type { Measure } from '@/api/types'

/** Joins a number to its unit, so that a line never breaks between them. */
const NBSP = '\u00a0'
export const UNKNOWN = '—'

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** A whole number in full: 1,866. */
export function whole(n: number): string {
  return grouped.format(n)
}

/** A count in at most five characters: 9,876 · 12.3 k · 123 k · 1.2 M. */
export function compact(n: number): string {
  const abs = Math.abs(n)
  if (abs < 10_000) return grouped.format(Math.round(n))
  for (const [unit, size] of [['k', 1e3], ['M', 1e6], ['G', 1e9]] as const) {
    const scaled = n / size
    // 999,960 is 1 M and not 1000 k.
    if (Math.abs(scaled) >= 999.5 && unit !== 'G') continue
    const digits = Math.abs(scaled) < 99.95 ? 1 : 0
    return `${scaled.toFixed(digits)}${NBSP}${unit}`
  }
  return grouped.format(n)
}

/** A duration: 84 ms · 3.7 s · 48 s · 2 m 14 s · 3 h 12 m · 2 d 4 h. */
export function duration(ms: number): string {
  if (ms < 0) return UNKNOWN
  if (ms < 100) return `${Math.round(ms)}${NBSP}ms`
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)}${NBSP}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}${NBSP}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return pair(minutes, 'm', seconds % 60, 's')
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return pair(hours, 'h', minutes % 60, 'm')
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

/** A running clock in whole seconds, whose width does not change while it ticks: 0 s · 1 m 04 s. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}${NBSP}s`
  const minutes = Math.floor(seconds / 60)
  const pad = (n: number) => String(n).padStart(2, '0')
  if (minutes < 60) return `${minutes}${NBSP}m${NBSP}${pad(seconds % 60)}${NBSP}s`
  return `${Math.floor(minutes / 60)}${NBSP}h${NBSP}${pad(minutes % 60)}${NBSP}m`
}

function pair(a: number, unitA: string, b: number, unitB: string): string {
  return b === 0 ? `${a}${NBSP}${unitA}` : `${a}${NBSP}${unitA}${NBSP}${b}${NBSP}${unitB}`
}

/** US dollars: $0.42 · $3.10 · $0.004 · $1,016; less than a tenth of a cent is still not nothing. */
export function usd(n: number): string {
  if (n === 0) return '$0'
  if (n < 0.001) return '<$0.001'
  if (n >= 1000) return `$${compact(n)}`
  return n < 0.01 ? `$${n.toFixed(3)}` : `$${n.toFixed(2)}`
}

/** An amount of billing units, which may be fractional: 6 · 0.33 · 1.5. */
export function amount(n: number): string {
  return n >= 1000 ? compact(n) : String(Number(n.toFixed(2)))
}

export function bytes(n: number): string {
  if (n < 1000) return `${n}${NBSP}B`
  if (n < 999_500) return `${(n / 1e3).toFixed(n < 99_500 ? 1 : 0)}${NBSP}kB`
  if (n < 999_500_000) return `${(n / 1e6).toFixed(1)}${NBSP}MB`
  return `${(n / 1e9).toFixed(1)}${NBSP}GB`
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${compact(n)}${NBSP}${n === 1 ? one : many}`
}

/** A measure with its quality in sight: "12.3 k", "≥ 12.3 k", or "—". */
export function measured(m: Measure | undefined, format: (n: number) => string = compact): string {
  // "At least nothing" says nothing.
  if (!m || m.quality === 'unknown' || (m.quality === 'partial' && m.value === 0)) return UNKNOWN
  return m.quality === 'partial' ? `≥${NBSP}${format(m.value)}` : format(m.value)
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** A time in words: now · 12 s ago · 3 m ago · 5 h ago · 14 Nov. */
export function ago(at: number, now: number): string {
  if (at <= 0) return UNKNOWN
  const s = Math.floor((now - at) / 1000)
  if (s < 5) return 'now'
  if (s < 60) return `${s}${NBSP}s ago`
  if (s < 3600) return `${Math.floor(s / 60)}${NBSP}m ago`
  if (s < 86_400) return `${Math.floor(s / 3600)}${NBSP}h ago`
  if (s < 7 * 86_400) return `${Math.floor(s / 86_400)}${NBSP}d ago`
  const date = new Date(at)
  return (date.getFullYear() === new Date(now).getFullYear() ? day : dayYear).format(date)
}

/** The same time for the hover: 30 Nov 2026, 12:04:05. */
export function absolute(at: number): string {
  return at > 0 ? full.format(new Date(at)) : 'The log states no time.'
}

export function clockTime(at: number): string {
  return at > 0 ? clock.format(new Date(at)) : UNKNOWN
}

/** The last part of a path. */
export function basename(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/** A path short enough for a line: its last two parts. */
export function shortPath(path: string): string {
  const parts = path.split('/').filter(Boolean)
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`
}

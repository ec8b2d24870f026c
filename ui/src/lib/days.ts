/** Days are the user's: those of the zone that the browser is in. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The day of a time (unix ms) in the user's zone: 2026-11-30. */
export function isoDay(at: number, tz = timeZone): string {
  // The Swedish way of writing a date is the ISO one.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: tz, dateStyle: 'short' }).format(new Date(at))
}

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A day as on an axis: 30 Nov. */
export function shortDay(day: string): string {
  return short.format(new Date(`${day}T00:00:00Z`))
}

/** A day in full: Mon, 30 Nov 2026. */
export function longDay(day: string): string {
  return long.format(new Date(`${day}T00:00:00Z`))
}

export function isDay(text: unknown): text is string {
  return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

import type { InsightFilter } from '@/api/client'
import { isDay } from '@/lib/days'
import type { DayMeasure, SessionMeasure } from './measures'
import { dayMeasures, sessionMeasures } from './measures'

export const limits = [50, 200, 1000, 5000] as const
export const DEFAULT_LIMIT = 200

/** The state of the Insights view; days are of the user's zone and inclusive. */
export interface InsightsSearch {
  last?: number // the newest N sessions
  agent?: string
  repo?: string
  branch?: string
  model?: string
  label?: string
  from?: string
  to?: string
  brush?: string // "<day>..<day>": the days chosen in the chart
  per?: DayMeasure // of the chart of days
  of?: SessionMeasure // of the chart of sessions
}

const text = (v: unknown): string | undefined => (typeof v === 'string' && v !== '' ? v : typeof v === 'number' ? String(v) : undefined)
const day = (v: unknown): string | undefined => (isDay(v) ? v : undefined)

/** Takes what it understands from a URL and drops the rest. */
export function validateInsightsSearch(raw: Record<string, unknown>): InsightsSearch {
  const last = Number(raw['last'])
  const search: InsightsSearch = {
    last: Number.isInteger(last) && last >= 1 && last <= 5000 && last !== DEFAULT_LIMIT ? last : undefined,
    agent: text(raw['agent']),
    repo: text(raw['repo']),
    branch: text(raw['branch']),
    model: text(raw['model']),
    label: text(raw['label']),
    from: day(raw['from']),
    to: day(raw['to']),
    brush: brushDays(text(raw['brush'])) ? text(raw['brush']) : undefined,
    per: dayMeasures.find((m) => m.key === raw['per'])?.key,
    of: sessionMeasures.find((m) => m.key === raw['of'])?.key,
  }
  return search // also what is undefined, or the router keeps what the URL says
}

export interface DayRange {
  from: string
  to: string
}

export function brushDays(brush: string | undefined): DayRange | undefined {
  const [from, to, more] = (brush ?? '').split('..')
  return more === undefined && isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
}

export function brushOf(from: string, to: string): string {
  return from <= to ? `${from}..${to}` : `${to}..${from}`
}

/** What to ask for everything but the brush. */
export function filterOf(search: InsightsSearch, tz: string): InsightFilter {
  const { agent, repo, branch, model, label, from, to } = search
  return { limit: search.last ?? DEFAULT_LIMIT, agent, repo, branch, model, label, from, to, tz }
}

/** The same without the choices that the menus offer, so that they keep offering all of them. */
export function facetFilter(search: InsightsSearch, tz: string): InsightFilter {
  return { limit: search.last ?? DEFAULT_LIMIT, from: search.from, to: search.to, tz }
}

export function hasFilter(s: InsightsSearch): boolean {
  return Boolean(s.agent ?? s.repo ?? s.branch ?? s.model ?? s.label ?? s.from ?? s.to ?? s.brush)
}

export const noFilter = { agent: undefined, repo: undefined, branch: undefined, model: undefined, label: undefined, from: undefined, to: undefined, brush: undefined }

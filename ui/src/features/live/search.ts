import type { Category, FlagKind } from '@/api/types'
import { isRaw } from '@/lib/raw'

export const detailTabs = ['overview', 'calls', 'flow', 'model', 'raw'] as const
export type DetailTab = (typeof detailTabs)[number]

/** The state of the Live view. Turns are counted from 1, as on screen; calls by their number in the session. */
export interface LiveSearch {
  turn?: number // absent = the latest turn, as it comes
  tab?: Exclude<DetailTab, 'overview'>
  call?: number
  full?: true // also the turns from before the shared focus came to the session
  text?: string
  tool?: string
  category?: Category
  flag?: FlagKind
  errors?: true
  raw?: string // the record that is open, as rawOf writes it
}

const text = (v: unknown): string | undefined => (typeof v === 'string' && v !== '' ? v : typeof v === 'number' ? String(v) : undefined)
const flag = (v: unknown): true | undefined => (v === true || v === 1 ? true : undefined)
const number = (v: unknown, least: number): number | undefined => {
  const n = typeof v === 'number' ? v : typeof v === 'string' ? Number(v) : NaN
  return Number.isInteger(n) && n >= least ? n : undefined
}

/** Takes what it understands from a URL and drops the rest. */
export function validateLiveSearch(raw: Record<string, unknown>): LiveSearch {
  const tab = detailTabs.find((t) => t === raw['tab'] && t !== 'overview') as LiveSearch['tab']
  const search: LiveSearch = {
    turn: number(raw['turn'], 1),
    tab,
    call: number(raw['call'], 0),
    full: flag(raw['full']),
    text: text(raw['text']),
    tool: text(raw['tool']),
    category: text(raw['category']) as Category | undefined,
    flag: text(raw['flag']) as FlagKind | undefined,
    errors: flag(raw['errors']),
    raw: isRaw(raw['raw']) ? raw['raw'] : undefined,
  }
  return search // also what is undefined, or the router keeps what the URL says
}

export function hasFilter(search: LiveSearch): boolean {
  return Boolean(search.text ?? search.tool ?? search.category ?? search.flag ?? search.errors)
}

export const noFilter = { text: undefined, tool: undefined, category: undefined, flag: undefined, errors: undefined }

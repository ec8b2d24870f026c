import { useSyncExternalStore } from 'react'

/** What the browser remembers: looks, not data. Everything that a link should carry is in the URL instead. */
export interface Prefs {
  theme: 'system' | 'light' | 'dark'
  callsView: 'order' | 'category'
  pairs: RecentPair[] // what was compared of late, newest first
}

export interface RecentPair {
  name: string
  search: Record<string, string | number> // of the Compare view's URL
}

const KEY = 'turnwatch.prefs' // public/theme.js reads it too
const defaults: Prefs = { theme: 'system', callsView: 'order', pairs: [] }
const watchers = new Set<() => void>()

function load(): Prefs {
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Prefs>) }
  } catch {
    return defaults
  }
}

let current = load()

export function setPrefs(change: Partial<Prefs>): void {
  current = { ...current, ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function usePrefs(): Prefs {
  return useSyncExternalStore(watch, () => current)
}

/** The theme that a preference means on this machine. */
export function resolveTheme(theme: Prefs['theme']): 'light' | 'dark' {
  if (theme !== 'system') return theme
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
}

export function toggleTheme(): void {
  const theme = resolveTheme(current.theme) === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset['theme'] = theme
  setPrefs({ theme })
}

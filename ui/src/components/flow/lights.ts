import { createContext, use, useCallback, useSyncExternalStore } from 'react'

interface Lit {
  nodes: ReadonlySet<string>
  edges: ReadonlySet<string>
}

const dark: Lit = { nodes: new Set(), edges: new Set() }

/** What is lit: a store of its own, so that moving the mouse re-renders the few nodes that change and no list. */
export class Lights {
  private lit = dark
  private readonly watchers = new Set<() => void>()

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  current = (): Lit => this.lit

  set(lit: Lit | undefined): void {
    this.lit = lit ?? dark
    for (const watcher of this.watchers) watcher()
  }
}

export const LightsContext = createContext(new Lights())

export function useLit(id: string): boolean {
  const lights = use(LightsContext)
  return useSyncExternalStore(lights.watch, useCallback(() => lights.current().nodes.has(id), [lights, id]))
}

export function useLitEdges(): ReadonlySet<string> {
  const lights = use(LightsContext)
  return useSyncExternalStore(lights.watch, useCallback(() => lights.current().edges, [lights]))
}

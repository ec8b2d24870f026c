import { createContext, use, useCallback, useSyncExternalStore } from 'react'
import { Cell } from '@/lib/cell'

interface Lit {
  nodes: ReadonlySet<string>
  edges: ReadonlySet<string>
}

export const dark: Lit = { nodes: new Set(), edges: new Set() }

/** What is lit: moving the mouse re-renders the few nodes that change and no list. */
export type Lights = Cell<Lit>

export const LightsContext = createContext<Lights>(new Cell(dark))

export function useLit(id: string): boolean {
  const lights = use(LightsContext)
  return useSyncExternalStore(lights.watch, useCallback(() => lights.current().nodes.has(id), [lights, id]))
}

export function useLitEdges(): ReadonlySet<string> {
  const lights = use(LightsContext)
  return useSyncExternalStore(lights.watch, useCallback(() => lights.current().edges, [lights]))
}

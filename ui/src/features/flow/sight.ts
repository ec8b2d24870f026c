import { useSyncExternalStore } from 'react'

type Range = [number, number] | undefined

/** Which turns the map shows: a store of its own, so that panning moves the brush and re-renders nothing else. */
export class Sight {
  private range: Range
  private readonly watchers = new Set<() => void>()

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  current = (): Range => this.range

  set = (next: Range): void => {
    if (this.range?.[0] === next?.[0] && this.range?.[1] === next?.[1]) return
    this.range = next
    for (const watcher of this.watchers) watcher()
  }
}

export function useSight(sight: Sight): Range {
  return useSyncExternalStore(sight.watch, sight.current)
}

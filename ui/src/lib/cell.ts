/** A value that is watched from outside React: what changes once a frame re-renders only those who show it. */
export class Cell<T> {
  private value: T
  private readonly same: (a: T, b: T) => boolean
  private readonly watchers = new Set<() => void>()

  constructor(value: T, same: (a: T, b: T) => boolean = Object.is) {
    this.value = value
    this.same = same
  }

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  current = (): T => this.value

  set = (next: T): void => {
    if (this.same(this.value, next)) return
    this.value = next
    for (const watcher of this.watchers) watcher()
  }
}

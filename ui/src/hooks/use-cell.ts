import { useSyncExternalStore } from 'react'
import type { Cell } from '@/lib/cell'

export function useCell<T>(cell: Cell<T>): T {
  return useSyncExternalStore(cell.watch, cell.current)
}

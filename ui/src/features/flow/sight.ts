import { Cell } from '@/lib/cell'

/** Indexes of the first and the last turn that the map shows; undefined = none. */
export type Range = [number, number] | undefined

export type Sight = Cell<Range>

export function newSight(): Sight {
  return new Cell<Range>(undefined, (a, b) => a?.[0] === b?.[0] && a?.[1] === b?.[1])
}

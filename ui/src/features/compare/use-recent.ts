import { useEffect } from 'react'
import type { Comparison } from '@/api/types'
import type { RecentPair } from '@/lib/prefs'
import { setPrefs, usePrefs } from '@/lib/prefs'
import { sideName } from './model'
import type { CompareSearch } from './search'
import { pairOf } from './search'

const KEPT = 10

/** The list with pair at its head, once, and no more than are worth showing. */
export function remember(pairs: RecentPair[], pair: RecentPair): RecentPair[] {
  return [pair, ...pairs.filter((p) => p.name !== pair.name)].slice(0, KEPT)
}

/** Remembers each pair that was looked at. */
export function useRecent(comparison: Comparison | undefined, search: CompareSearch): void {
  const { pairs } = usePrefs()
  const name = comparison && `${sideName(comparison.a)} ⇄ ${sideName(comparison.b)}`
  useEffect(() => {
    if (!name || pairs[0]?.name === name) return
    setPrefs({ pairs: remember(pairs, { name, search: pairOf(search) }) })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only another pair is news
  }, [name])
}

import { useState } from 'react'
import type { Session, Turn } from '@/api/types'
import type { FlowLayout } from '@/components/flow/TurnFlow'
import { TurnFlow } from '@/components/flow/TurnFlow'
import { useLiveSearch, useSetSearch } from '../use-live'

/** The turn as a graph. The call that is pinned here is the one that is open in the list of calls, and the other way round. */
export function FlowTab({ session, turn }: { session: Session; turn: Turn }) {
  const search = useLiveSearch()
  const set = useSetSearch()
  const [layout, setLayout] = useState<FlowLayout>()
  const [other, setOther] = useState<string>() // a pinned node that is no call of this session
  const pinned = search.call === undefined ? other : `c${search.call}`
  function pin(id: string | undefined): void {
    const call = id === undefined ? null : /^c(\d+)$/.exec(id)
    setOther(call ? undefined : id)
    set({ turn: turn.index + 1, call: call ? Number(call[1]) : undefined })
  }
  return <TurnFlow session={session.id} turn={turn.index} pinned={pinned} onPin={pin} layout={layout} onLayout={setLayout} />
}

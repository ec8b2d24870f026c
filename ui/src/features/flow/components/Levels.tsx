import { useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { usePrefetchQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { Ribbon as RibbonData } from '@/api/flow'
import { queries } from '@/api/queries'
import type { Session, Turn } from '@/api/types'
import type { GraphHandle } from '@/components/flow/GraphView'
import { TurnFlow } from '@/components/flow/TurnFlow'
import { Split } from '@/components/Split'
import { IconButton } from '@/components/ui/button'
import { useNarrow } from '@/hooks/use-media'
import { turnOfCall } from '../ribbon'
import { pinOf, pinSearch } from '../search'
import { newSight } from '../sight'
import { useFlowKeys } from '../use-flow-keys'
import { useFlowSearch, useSetFlow } from '../use-flow'
import { Ribbon } from './Ribbon'
import { Toolbar } from './Toolbar'
import type { MapHandle } from './TurnMap'
import { TurnMap } from './TurnMap'
import { TurnTable } from './TurnTable'
import { TurnTitle } from './TurnTitle'

interface Props {
  session: Session
  ribbon: RibbonData
  turns: Turn[]
}

/** Ribbon above, map on the left, turn on the right: three levels of one selection, which is in the URL. */
export function Levels({ session, ribbon, turns }: Props) {
  const search = useFlowSearch()
  const set = useSetFlow()
  const navigate = useNavigate()
  const narrow = useNarrow()
  const [sight] = useState(newSight)
  const map = useRef<MapHandle>(null)
  const graph = useRef<GraphHandle>(null)
  const chosen = search.turn !== undefined ? search.turn - 1 : search.call !== undefined ? turnOfCall(ribbon, search.call) : undefined
  const shown = Math.min(Math.max(chosen ?? turns.at(-1)!.index, 0), turns.at(-1)!.index)
  const pinned = pinOf(search)
  const turn = turns.find((t) => t.index === shown)
  usePrefetchQuery(queries.flow(session.id, shown))
  const ready = useDeferredValue(true, false) // ribbon and map are painted first

  const onTurn = useCallback((index: number) => set({ turn: index + 1, call: undefined, node: undefined }), [set])
  const onPin = useCallback((id: string | undefined) => set({ turn: shown + 1, ...pinSearch(id) }), [set, shown])
  const onAgent = useCallback((id: string) => void navigate({ to: '/flow', search: { session: id } }), [navigate])
  const onSweep = useCallback((index: number) => map.current?.sweepTo(index), [])
  const onRest = useCallback(() => map.current?.rest(), [])
  useFlowKeys({ ribbon, turns, shown, pinned, onTurn, onPin, sheets: () => [map.current, graph.current].filter((sheet) => sheet !== null) })

  const list = search.table ? (
    <TurnTable turns={turns} shown={shown} onTurn={onTurn} />
  ) : (
    <TurnMap key={search.flag ?? ''} ref={map} session={session} turns={turns} ribbon={ribbon} flag={search.flag} shown={shown} onTurn={onTurn} onAgent={onAgent} onSight={sight.set} />
  )
  const detail = useMemo(
    () => ready && (
      <TurnFlow
        ref={graph}
        session={session.id}
        turn={shown}
        title={narrow ? undefined : <TurnTitle index={shown} turn={turn} />}
        pinned={pinned}
        onPin={onPin}
        flag={search.flag}
        layout={search.table ? 'table' : search.by}
        onLayout={(by) => by !== 'table' && set({ by })}
      />
    ),
    [ready, session.id, shown, turn, narrow, pinned, onPin, search.flag, search.table, search.by, set],
  )
  return (
    <div className="flex h-full flex-col">
      <Toolbar session={session.id} ribbon={ribbon} shown={shown} />
      <div className="shrink-0 border-b">
        <Ribbon ribbon={ribbon} axis={search.axis ?? 'turn'} flag={search.flag} shown={shown} sight={search.table ? undefined : sight} onTurn={onTurn} onSweep={onSweep} onRest={onRest} />
      </div>
      {narrow ? (
        <div className="min-h-0 flex-1">
          {search.turn === undefined && pinned === undefined ? (
            list
          ) : (
            <div className="flex h-full flex-col">
              <p className="flex h-8 shrink-0 items-center gap-1 border-b px-2 font-medium">
                <IconButton label="Back to the turns" size="tinyIcon" onClick={() => set({ turn: undefined, call: undefined, node: undefined })}>
                  <ArrowLeft size={16} />
                </IconButton>
                Turn {shown + 1}
              </p>
              <div className="min-h-0 flex-1">{detail}</div>
            </div>
          )}
        </div>
      ) : (
        <Split
          name="flow"
          label="Width of the map"
          share={0.36}
          least={[280, 380]}
          left={
            <section aria-label="Turns" className="h-full">
              {list}
            </section>
          }
          right={
            <section aria-label={`Turn ${shown + 1}`} className="h-full">
              {detail}
            </section>
          }
        />
      )}
    </div>
  )
}

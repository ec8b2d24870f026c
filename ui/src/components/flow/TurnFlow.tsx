import { useQuery } from '@tanstack/react-query'
import { ChartGantt, Webhook, Workflow } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { useMemo, useState } from 'react'
import { queries } from '@/api/queries'
import type { FlagKind } from '@/api/types'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Skeleton } from '@/components/Skeleton'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { compact } from '@/lib/format'
import type { GraphHandle } from './GraphView'
import { GraphView } from './GraphView'
import { NodePanel } from './NodePanel'
import { NodeTable } from './NodeTable'
import { isQuietHook } from './tree'
import { WaterfallView } from './WaterfallView'

/** More nodes than that are no picture any more, but a list. */
export const MOST_GRAPH_NODES = 300

export type FlowLayout = 'graph' | 'time' | 'table'

interface Props {
  session: string
  turn: number // index
  pinned: string | undefined // id of a node
  onPin: (id: string | undefined) => void
  layout?: FlowLayout | undefined // absent = a graph, or by time if it is too large for one
  onLayout?: (layout: FlowLayout) => void
  flag?: FlagKind | undefined
  title?: ReactNode
  details?: boolean // whether the pinned node is explained below
  ref?: Ref<GraphHandle>
}

/** The flow of one turn: as a graph, by time or as a table, with the pinned node explained below. */
export function TurnFlow({ session, turn, pinned, onPin, layout, onLayout, flag, title, details = true, ref }: Props) {
  const query = useQuery(queries.flow(session, turn))
  const [hooks, setHooks] = useState(false)
  const graph = query.data
  const nodes = useMemo(() => graph?.nodes.filter((n) => hooks || !isQuietHook(n)) ?? [], [graph, hooks])
  if (!graph) {
    if (query.error) return <ErrorNotice error={query.error} what={`The flow of turn ${turn + 1} could not be loaded`} onRetry={() => void query.refetch()} />
    return <Skeleton label="Loading the flow" rows={4} />
  }
  const large = nodes.length > MOST_GRAPH_NODES
  const shown = layout === undefined || (layout === 'graph' && large) ? (large ? 'time' : 'graph') : layout
  const quiet = graph.nodes.length - graph.nodes.filter((n) => !isQuietHook(n)).length
  const node = pinned === undefined ? undefined : graph.nodes.find((n) => n.id === pinned)
  const label = `Flow of turn ${turn + 1}`
  return (
    <div className="flex h-full min-h-0 flex-col bg-page">
      <div className="flex h-8 shrink-0 items-center gap-1 border-b px-2">
        {title}
        {shown !== 'table' && (
          <>
            <Switch on={shown === 'graph'} disabled={large} label="Graph" tip={large ? `More than ${MOST_GRAPH_NODES} nodes: shown by time` : 'What led to what'} icon={Workflow} onClick={() => onLayout?.('graph')} />
            <Switch on={shown === 'time'} label="Time" tip="What ran when" icon={ChartGantt} onClick={() => onLayout?.('time')} />
          </>
        )}
        {quiet > 0 && (
          <Button size="tiny" aria-pressed={hooks} data-tip="Also show the hooks that went well" className={cn('h-6', hooks && 'bg-selected text-text')} onClick={() => setHooks(!hooks)}>
            <Webhook size={12} aria-hidden />
            {compact(quiet)} hooks
          </Button>
        )}
      </div>
      <div className="min-h-0 flex-1">
        {shown === 'graph' && <GraphView key={`${session} ${turn}`} ref={ref} label={label} graph={graph} hooks={hooks} flag={flag} pinned={pinned} onPin={onPin} />}
        {shown === 'time' && <WaterfallView label={label} nodes={nodes} flag={flag} pinned={pinned} onPin={onPin} />}
        {shown === 'table' && <NodeTable label={label} nodes={nodes} pinned={pinned} onPin={onPin} />}
      </div>
      {details && node && <NodePanel key={node.id} session={session} node={node} graph={graph} onPin={onPin} />}
    </div>
  )
}

interface SwitchProps {
  on: boolean
  label: string
  tip: string
  icon: typeof Workflow
  disabled?: boolean
  onClick: () => void
}

function Switch({ on, label, tip, icon: Icon, disabled, onClick }: SwitchProps) {
  return (
    <Button size="tiny" aria-pressed={on} disabled={disabled} data-tip={tip} className={cn('h-6', on && 'bg-selected text-text')} onClick={onClick}>
      <Icon size={12} aria-hidden />
      {label}
    </Button>
  )
}

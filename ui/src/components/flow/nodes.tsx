import { Bot, Check, ChevronDown, ChevronRight, CircleDot, CircleSlash, Flag, Layers, Webhook, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { createContext, memo, use } from 'react'
import type { FlowNode } from '@/api/flow'
import { flagLooks } from '@/components/flags'
import { measured } from '@/lib/format'
import { cn } from '@/lib/cn'
import type { PlacedNode } from './layout'
import { useLit } from './lights'
import { lookOf, nameOf, spokenOf, stateOf, summaryOf, tipOf, tookOf } from './words'

export interface NodeData extends Record<string, unknown> {
  placed: PlacedNode
  pinned: boolean
  first: boolean // reachable by Tab while nothing is pinned
  dim: boolean // left out by the filter
  lanesShown: boolean
}

/** What a node can ask for. */
export interface NodeActions {
  pin: (id: string) => void
  hover: (id: string | undefined) => void
  openStack: (id: string) => void
  toggleLanes: (id: string) => void
}

export const NodeActionsContext = createContext<NodeActions>({ pin: () => undefined, hover: () => undefined, openStack: () => undefined, toggleLanes: () => undefined })

interface Props {
  data: NodeData
}

const frames = {
  ok: 'border-line bg-panel',
  fail: 'border-fail/60 bg-fail-soft',
  pending: 'border-running/60 bg-running-soft',
} as const

/** The clickable box that every node is. */
function Frame({ data, className, children }: { data: NodeData; className?: string; children: ReactNode }) {
  const { pin, hover } = use(NodeActionsContext)
  const { placed } = data
  const lit = useLit(placed.id)
  const times = placed.stack?.times ?? 1
  return (
    <button
      type="button"
      data-node={placed.id}
      data-tip={tipOf(placed.node, times)}
      aria-pressed={data.pinned}
      tabIndex={data.pinned || data.first ? 0 : -1}
      onClick={() => pin(placed.id)}
      onPointerEnter={() => hover(placed.id)}
      onPointerLeave={() => hover(undefined)}
      style={{ width: placed.width, height: placed.height }}
      className={cn(
        'nopan flex overflow-hidden rounded-md border text-left text-text',
        frames[placed.node.status],
        placed.node.inherited && 'border-dashed bg-page',
        data.dim && 'border-dashed border-line bg-page text-text-3 [&_*]:text-text-3',
        lit && 'border-accent',
        data.pinned && 'border-accent outline-2 outline-accent',
        className,
      )}
    >
      <span className="sr-only">{spokenOf(placed.node, times)}</span>
      <span aria-hidden className="contents">
        {children}
      </span>
    </button>
  )
}

/** Sheets of paper under a node that stands for several. */
function Sheets({ placed }: { placed: PlacedNode }) {
  if (!placed.stack) return null
  return (
    <>
      <span aria-hidden className="absolute top-[6px] left-[6px] -z-10 rounded-md border border-line-strong bg-raised" style={{ width: placed.width, height: placed.height }} />
      <span aria-hidden className="absolute top-[3px] left-[3px] -z-10 rounded-md border border-line-strong bg-raised" style={{ width: placed.width, height: placed.height }} />
    </>
  )
}

function StatusMark({ node }: { node: FlowNode }) {
  if (node.status === 'pending') return <CircleDot size={13} aria-hidden className="shrink-0 animate-breathe text-running" />
  if (node.status === 'ok') return node.kind === 'tool' ? <Check size={13} aria-hidden className="shrink-0 text-ok" /> : null
  return node.state === 'failed' || node.kind === 'error' ? <X size={13} aria-hidden className="shrink-0 text-fail" /> : <CircleSlash size={13} aria-hidden className="shrink-0 text-warn" />
}

function Flags({ node }: { node: FlowNode }) {
  const shown = node.flags.filter((kind) => kind !== 'fail')
  if (shown.length === 0) return null
  return (
    <span className={cn('flex min-w-0 items-center gap-1 text-small', flagLooks[shown[0]!].tone)}>
      <Flag size={11} aria-hidden className="shrink-0" />
      <span className="truncate">{shown.map((kind) => flagLooks[kind].label).join(' ')}</span>
    </span>
  )
}

function Took({ node }: { node: FlowNode }) {
  const state = stateOf(node)
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-1 text-small tabular-nums text-text-2">
      {state && <span className={node.status === 'pending' ? 'text-running' : node.state === 'failed' || node.kind === 'error' ? 'text-fail' : 'text-warn'}>{state}</span>}
      {tookOf(node)}
      <StatusMark node={node} />
    </span>
  )
}

const StepNode = memo(function StepNode({ data }: Props) {
  const { node } = data.placed
  const look = lookOf(node)
  const Icon = look.icon
  const own = node.kind === 'prompt'
  return (
    <>
      <Sheets placed={data.placed} />
      <Frame data={data} className={cn('flex-col px-2.5 py-1.5', data.placed.lanes.length > 0 && 'pr-7', own && 'border-l-[3px] border-l-accent')}>
        <span className="flex w-full items-center gap-1.5">
          <Icon size={13} aria-hidden className={cn('shrink-0', look.tone)} />
          <span className="shrink-0 text-small font-medium">{own ? node.label : 'Response'}</span>
          {node.tokens && node.flags.length === 0 && <span className="min-w-0 truncate text-small tabular-nums text-text-3">{measured(node.tokens)} tok</span>}
          <Flags node={node} />
          <Took node={node} />
        </span>
        <span className={cn('mt-0.5 line-clamp-2 w-full text-small break-words', node.preview ? 'text-text-2' : 'text-text-3')}>
          {node.preview || (own ? 'No text.' : node.status === 'pending' ? 'Thinking…' : 'Calls only, no text.')}
        </span>
      </Frame>
      {data.placed.lanes.length > 0 && <LaneToggle data={data} />}
    </>
  )
})

const CallNode = memo(function CallNode({ data }: Props) {
  const { placed } = data
  const { node } = placed
  const look = lookOf(node)
  const Icon = look.icon
  return (
    <>
      <Sheets placed={placed} />
      <Frame data={data} className={cn('flex-col justify-center px-2 py-0.5', placed.lanes.length > 0 && 'pr-7')}>
        <span className="flex w-full items-center gap-1.5">
          <Icon size={13} aria-hidden className={cn('shrink-0', look.tone)} />
          <span className="min-w-0 truncate text-small font-medium">{node.label}</span>
          {node.background && <span className="shrink-0 text-small text-text-3">background</span>}
          {placed.hooks > 0 && (
            <span className="flex shrink-0 items-center gap-0.5 text-small text-text-3" aria-hidden>
              <Webhook size={11} />
              {placed.hooks}
            </span>
          )}
          <Flags node={node} />
          <Took node={node} />
        </span>
        <span className="w-full truncate font-mono text-[11px] leading-4 text-text-2">{summaryOf(node)}</span>
      </Frame>
      {placed.stack && placed.stack.times > 1 && <StackButton placed={placed} />}
      {placed.lanes.length > 0 && <LaneToggle data={data} />}
    </>
  )
})

function StackButton({ placed }: { placed: PlacedNode }) {
  const { openStack } = use(NodeActionsContext)
  const label = `Show all ${placed.stack!.times} rounds`
  return (
    <button
      type="button"
      aria-label={label}
      data-tip={label}
      onClick={() => openStack(placed.stack!.id)}
      className="nopan absolute -right-3 -bottom-2.5 flex h-5 items-center gap-0.5 rounded-full border border-warn bg-warn-soft px-1.5 text-small font-medium text-warn"
    >
      <Layers size={11} aria-hidden />×{placed.stack!.times}
    </button>
  )
}

function LaneToggle({ data }: { data: NodeData }) {
  const { toggleLanes } = use(NodeActionsContext)
  const { placed } = data
  const Chevron = data.lanesShown ? ChevronDown : ChevronRight
  const label = data.lanesShown ? 'Fold the sub-agent' : `Show the sub-agent’s ${placed.folded} steps`
  return (
    <button
      type="button"
      aria-label={label}
      aria-expanded={data.lanesShown}
      data-tip={label}
      onClick={() => toggleLanes(placed.id)}
      className="nopan absolute top-[12px] -right-3 flex h-5 items-center gap-0.5 rounded-full border border-cat-agent bg-panel px-1.5 text-small text-cat-agent"
    >
      <Bot size={11} aria-hidden />
      {!data.lanesShown && placed.folded}
      <Chevron size={11} aria-hidden />
    </button>
  )
}

const MarkerNode = memo(function MarkerNode({ data }: Props) {
  const { node } = data.placed
  const look = lookOf(node)
  const Icon = look.icon
  return (
    <Frame data={data} className={cn('items-center gap-1.5 px-2', node.kind !== 'hook' && 'rounded-full')}>
      <Icon size={12} aria-hidden className={cn('shrink-0', look.tone)} />
      <span className="shrink-0 text-small">{nameOf(node)}</span>
      <span className="min-w-0 flex-1 truncate text-small text-text-3">{summaryOf(node)}</span>
      <Took node={node} />
    </Frame>
  )
})

export const nodeTypes = { step: StepNode, call: CallNode, marker: MarkerNode }

export function typeOf(node: FlowNode): string {
  if (node.kind === 'tool') return 'call'
  return node.kind === 'prompt' || node.kind === 'assistant' ? 'step' : 'marker'
}

import { createContext, memo, use } from 'react'
import type { Ribbon } from '@/api/flow'
import type { FlagKind, Session, Turn } from '@/api/types'
import type { categories } from '@/components/categories'
import { flagLooks } from '@/components/flags'
import { Glyph } from '@/components/Glyph'
import { isLive } from '@/components/StateBadge'
import { cn } from '@/lib/cn'
import { compact, duration, measured, plural } from '@/lib/format'
import { totalOf } from '@/lib/tokens'
import { agentCard, card, quietRow } from '../turn-map'

export interface MapActions {
  select: (turn: number) => void
  toggle: (id: string) => void
  openAgent: (session: string) => void
}

export const MapActionsContext = createContext<MapActions>({ select: () => undefined, toggle: () => undefined, openAgent: () => undefined })

export interface TurnData extends Record<string, unknown> {
  turn: Turn
  ribbon: Ribbon
  selected: boolean
  dim: boolean
}
export interface QuietData extends Record<string, unknown> {
  id: string
  turns: Turn[]
  open: boolean
  selected: number | undefined
  word: string
}
export interface AgentData extends Record<string, unknown> {
  session: Session
}
export interface MoreData extends Record<string, unknown> {
  count: number
  turn: number
}

const tones = { open: 'text-running animate-breathe', ok: 'text-ok', failed: 'text-fail', interrupted: 'text-warn', abandoned: 'text-text-3' } as const

/** As few elements as it takes: some twenty of these come and go with each screen that is panned over. */
const TurnNode = memo(function TurnNode({ data }: { data: TurnData }) {
  const { select } = use(MapActionsContext)
  const { turn, ribbon } = data
  const t = turn.totals
  const flags = [...new Set(turn.flags.map((f) => f.kind))]
  const prompt = turn.prompt.preview.trim()
  const calls = t.calls > 0 ? plural(t.calls, 'call') : 'no calls'
  return (
    <button
      type="button"
      data-node={`t${turn.index}`}
      aria-current={data.selected || undefined}
      tabIndex={data.selected ? 0 : -1}
      onClick={() => select(turn.index)}
      style={card}
      className={cn('nopan map-card', edgeOf(turn, flags), data.dim && 'map-dim', data.selected && 'map-selected')}
    >
      <span className="sr-only">{`Turn ${turn.index + 1}, ${turn.status}${turn.rewound ? ', taken back' : ''}, ${prompt.slice(0, 80)}, ${calls}${flags.length > 0 ? `, flags: ${flags.map((f) => flagLooks[f].label).join(', ')}` : ''}`}</span>
      <span aria-hidden className="flex items-center gap-1.5 text-small whitespace-nowrap tabular-nums">
        <Glyph name={turn.status in tones ? turn.status : 'abandoned'} size={13} className={tones[turn.status] ?? tones.abandoned} />
        <b className="font-medium">{turn.index + 1}</b>
        {turn.rewound && <span className="text-warn" data-tip="Later requests to the model do not include it.">taken back</span>}
        {flags.slice(0, MOST_FLAGS).map((kind) => (
          <span key={kind} data-tip={turn.flags.filter((f) => f.kind === kind).slice(0, 5).map((f) => f.reason).join('\n')} className={flagLooks[kind].tone}>
            <Glyph name="flag" size={10} className="mr-1 inline" />
            {flagLooks[kind].label}
          </span>
        ))}
        {flags.length > MOST_FLAGS && <span className="text-text-3">+{flags.length - MOST_FLAGS}</span>}
        <span className="ml-auto text-text-3">{measured(totalOf(t.tokens))} tok</span>
        {t.clocks.wallMs > 0 && <span className="text-text-2">{duration(t.clocks.wallMs)}</span>}
      </span>
      <span aria-hidden className={prompt ? 'block truncate' : 'block text-text-3'}>{prompt.slice(0, MOST_LETTERS) || 'No text.'}</span>
      <span aria-hidden className="flex items-end text-small tabular-nums text-text-3">
        <Spark turn={turn.index} ribbon={ribbon} />
        {calls}
      </span>
    </button>
  )
})

const MOST_FLAGS = 2 // chips that a card has room for
const MOST_LETTERS = 80 // no card is wider; what is cut need not be laid out

function edgeOf(turn: Turn, flags: FlagKind[]): string | false {
  if (turn.totals.failedCalls > 0 || turn.status === 'failed') return 'map-failed'
  return flags.some((f) => f !== 'fanout') && 'map-flagged'
}

const SPARK_PX = 232
const MOST_TICKS = 58

/** A tick per call in the colour of its category; failed ones are taller and red. */
function Spark({ turn, ribbon }: { turn: number; ribbon: Ribbon }) {
  return (
    <svg aria-hidden width={SPARK_PX} height={14} className="mr-auto">
      {sparkPaths(ribbon, turn).map(([fill, d]) => (
        <path key={fill} d={d} className={fill} />
      ))}
    </svg>
  )
}

/** One path per colour: 58 elements a card would make panning slow. */
function sparkPaths(ribbon: Ribbon, turn: number): [string, string][] {
  const row = ribbon.turns[turn - ribbon.from]
  const own = row ? ribbon.calls.slice(row.at, row.at + Math.min(row.n, MOST_TICKS)) : []
  const fine = [ribbon.statuses.indexOf('ok'), ribbon.statuses.indexOf('pending')]
  const paths = new Map<string, string>()
  own.forEach((call, i) => {
    const bad = !fine.includes(call[2])
    const fill = bad ? 'fill-fail' : fills[ribbon.categories[call[1]] ?? 'other']
    paths.set(fill, `${paths.get(fill) ?? ''}M${i * 4} 14v${bad ? -14 : -10}h3V14z`)
  })
  return [...paths]
}

const fills: Record<keyof typeof categories, string> = {
  file: 'fill-cat-file',
  shell: 'fill-cat-shell',
  search: 'fill-cat-search',
  web: 'fill-cat-web',
  agent: 'fill-cat-agent',
  vcs: 'fill-cat-vcs',
  ide: 'fill-cat-ide',
  other: 'fill-cat-other',
}

const QuietNode = memo(function QuietNode({ data }: { data: QuietData }) {
  const { toggle } = use(MapActionsContext)
  const first = data.turns[0]!.index + 1
  const last = data.turns.at(-1)!.index + 1
  return (
    <button
      type="button"
      data-node={data.id}
      aria-expanded={data.open}
      tabIndex={data.selected === undefined ? -1 : 0}
      onClick={() => toggle(data.id)}
      style={quietRow}
      className={cn('nopan flex items-center gap-1.5 rounded-md border border-dashed bg-page px-2 text-left text-small text-text-2 hover:bg-hover', data.selected !== undefined && !data.open && 'border-accent bg-selected')}
    >
      <Glyph name={data.open ? 'down' : 'right'} size={13} className="shrink-0 text-text-3" />
      {data.turns.length} {data.word} turns
      {data.selected !== undefined && !data.open && <span className="text-accent">turn {data.selected + 1} is here</span>}
      <span className="ml-auto tabular-nums text-text-3">
        {first}–{last}
      </span>
    </button>
  )
})

const AgentNode = memo(function AgentNode({ data }: { data: AgentData }) {
  const { openAgent } = use(MapActionsContext)
  const { session } = data
  const t = session.treeTotals
  const title = session.title || session.role || 'Sub-agent'
  return (
    <button
      type="button"
      tabIndex={-1}
      data-tip={`${session.role ?? 'Sub-agent'}: ${title}\nOpen its own flow`}
      onClick={() => openAgent(session.id)}
      style={agentCard}
      className={cn('nopan flex flex-col justify-center overflow-hidden rounded-md border border-cat-agent/50 bg-panel px-2 text-left text-small hover:bg-hover', t.failedCalls > 0 && 'border-l-[3px] border-l-fail')}
    >
      <span className="sr-only">Sub-agent: </span>
      <span className="flex w-full items-center gap-1">
        <Glyph name="agent" size={12} className={cn('shrink-0 text-cat-agent', isLive(session.state) && 'animate-breathe')} />
        <span className="min-w-0 truncate">{title}</span>
      </span>
      <span className="truncate tabular-nums text-text-3">
        {plural(t.calls, 'call')}
        {t.failedCalls > 0 && <span className="text-fail"> · {t.failedCalls} failed</span>} · {measured(totalOf(t.tokens))} tok
      </span>
    </button>
  )
})

const MoreNode = memo(function MoreNode({ data }: { data: MoreData }) {
  const { select } = use(MapActionsContext)
  return (
    <button type="button" tabIndex={-1} onClick={() => select(data.turn)} style={agentCard} className="nopan rounded-md border border-dashed bg-page px-2 text-left text-small text-text-2 hover:bg-hover">
      {compact(data.count)} more sub-agents
    </button>
  )
})

export const mapNodeTypes = { turn: TurnNode, quiet: QuietNode, agent: AgentNode, more: MoreNode }

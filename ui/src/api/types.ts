/** The wire format: the json tags of the Go package collector, and of api for health and attach. */

export type Quality = 'exact' | 'partial' | 'unknown'
export interface Measure {
  value: number
  quality: Quality
}

export interface Ref {
  offset: number
  length: number
  line: number
}
export interface Text {
  preview: string
  bytes?: number
  ref: Ref
}

export interface Tokens {
  input: Measure
  cacheRead: Measure
  cacheWrite5m: Measure
  cacheWrite1h: Measure
  output: Measure
  reasoning: Measure
}
export interface Clocks {
  wallMs: number
  modelMs: number
  toolMs: number
  waitMs: number
}
export interface Totals {
  turns: number
  roundTrips: number
  calls: number
  failedCalls: number
  errors: number
  flags: number
  compactions: number
  tokens: Tokens
  premiumRequests?: Measure
  credits?: Measure
  costUsd?: Measure
  clocks: Clocks
  linesAdded: number
  linesRemoved: number
}

export type SessionState = 'busy' | 'idle' | 'waiting' | 'ended' | 'crashed'
export interface ToolCount {
  tool: string
  category: Category
  calls: number
  failed: number
}
export interface Session {
  id: string
  agent: string
  parent?: string
  parentCall?: string
  forkedFrom?: string
  role?: string
  title: string
  cwd: string
  repo?: string
  branch?: string
  model?: string
  version?: string
  path: string
  gone?: boolean
  startedAt: number
  lastAt: number
  state: SessionState
  pid?: number
  waitingFor?: string
  totals: Totals
  treeTotals: Totals
  topTools?: ToolCount[]
  context: { tokens: Measure; window: Measure }
  children: Session[] | null
  revision: number
}
export interface SessionPage {
  sessions: Session[]
  total: number
  next?: string
}

export type TurnStatus = 'open' | 'ok' | 'failed' | 'interrupted' | 'abandoned'
export type Category = 'file' | 'shell' | 'search' | 'web' | 'agent' | 'vcs' | 'ide' | 'other'
export type FlagKind = 'fail' | 'retry' | 'loop' | 'fanout' | 'compaction-loss' | 'thrash'
export interface Target {
  kind: 'turn' | 'roundTrip' | 'call' | 'marker'
  seq: number
}
export interface Flag {
  kind: FlagKind
  reason: string
  at: Target
  evidence: { text: string; at: Target }[] | null
}
export interface Turn {
  index: number
  key: string
  origin: 'human' | 'agent' | 'auto'
  prompt: Text
  steers?: number
  reply: Text
  status: TurnStatus
  error?: string
  model?: string
  startedAt: number
  endedAt: number
  inherited?: boolean
  totals: Totals
  calls: Partial<Record<Category, number>> | null
  ref: Ref
  roundTrips?: RoundTrip[]
  toolCalls?: ToolCall[]
  markers?: Marker[]
  flags: Flag[] | null
}
export interface TurnPage {
  turns: Turn[]
  total: number
}
export interface RoundTrip {
  seq: number
  turn: number
  key?: string
  model?: string
  startedAt: number
  endedAt: number
  stopReason?: string
  text: Text
  thinking: Text
  redacted?: boolean
  calls: number
  tokens: Tokens
  premiumRequests?: Measure
  credits?: Measure
  inherited?: boolean
  duplicateOf?: string
  ref: Ref
}
export type CallStatus = 'pending' | 'ok' | 'failed' | 'denied' | 'interrupted' | 'lost'
export interface ToolCall {
  seq: number
  turn: number
  roundTrip: number
  key: string
  within?: string
  tool: string
  category: Category
  status: CallStatus
  exitCode?: number
  args: Text
  result: Text
  error?: string
  background?: boolean
  startedAt: number
  endedAt: number
  durationMs: Measure
  waitMs?: number
  linesAdded?: number
  linesRemoved?: number
  child?: string
  inherited?: boolean
  ref: Ref
}
export type MarkerKind =
  | 'hook'
  | 'compaction'
  | 'plan_change'
  | 'model_change'
  | 'permission_wait'
  | 'skill'
  | 'abort'
  | 'error'
  | 'notice'
export interface Marker {
  seq: number
  turn: number
  kind: MarkerKind
  key?: string
  name?: string
  text: Text
  status: 'pending' | 'ok' | 'failed' | ''
  at: number
  durationMs: Measure
  call?: string
  preTokens: Measure
  postTokens: Measure
  inFlight?: number[]
  source?: string
  inherited?: boolean
  ref: Ref
}

export interface Progress {
  ready: boolean
  streams: number
  streamsTotal: number
  bytes: number
  bytesTotal: number
  etaMs: Measure
}
export interface UnknownCount {
  agent: string
  version: string
  type: string
  count: number
}
export interface Warning {
  code: string
  message: string
  path?: string
  count: number
  lastAt: number
}
export interface Root {
  agent: string
  path: string
  exists: boolean
}
export interface AutoAttach {
  enabled: boolean
  intervalMs: number
  onMultiple: 'wait' | 'newest'
  state: 'off' | 'waiting' | 'attached'
  candidates: string[] | null
  fromStart: boolean
}
export interface Health {
  ok: boolean
  version: string
  ready: boolean
  attachedSession: string | null
  autoAttach: AutoAttach
  revision: number
  liveSessions: number
  store: { bytes: number }
  progress: Progress
  unknownRecords: UnknownCount[] | null
  warnings: Warning[] | null
  roots: Root[] | null
}
export interface RawLine {
  path: string
  line: number
  offset: number
  length: number
  text: string
}
export interface SeriesPoint {
  turn: number
  at: number
  tokens: number
  premiumRequests: number | null
}
export interface FlagDoc {
  kind: FlagKind
  doc: string
}

export interface Message {
  type:
    | 'hello'
    | 'session.updated'
    | 'session.context'
    | 'turn.started'
    | 'turn.tool_call'
    | 'turn.updated'
    | 'turn.completed'
    | 'log.raw'
    | 'attached'
    | 'detached'
    | 'auto_attach.waiting'
    | 'auto_attach.state'
    | 'progress'
    | 'resync'
  revision: number
  session?: string
  turn?: number
  call?: number
  status?: string
  ref?: Ref
  progress?: Progress
  data?: unknown
}

import type { FlowGraph, Ribbon } from './flow'
import type {
  Comparison,
  ConversationPage,
  FlagDoc,
  Health,
  HooksReport,
  Insights,
  LabelCount,
  RawLog,
  RunningTools,
  RevealRequest,
  SeriesPoint,
  Session,
  SessionPage,
  ToolCall,
  TranscriptInfo,
  Turn,
  TurnMessage,
  TurnPage,
} from './types'

/** A refusal of the daemon, as RFC 9457 says it; status 0 means that the daemon was not reached. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown

  constructor(status: number, code: string, message: string, details?: unknown) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = details
  }
}

type Query = Record<string, string | number | boolean | undefined>

function url(path: string, query?: Query): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === '' || value === false) continue
    params.set(key, value === true ? '1' : String(value))
  }
  const text = params.toString()
  return text ? `/api${path}?${text}` : `/api${path}`
}

async function refusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
  const message = body['detail'] ?? body['title'] ?? response.statusText
  return new ApiError(response.status, String(body['code'] ?? 'internal'), String(message), body['details'])
}

async function send<T>(path: string, init: RequestInit, query?: Query): Promise<T> {
  let response: Response
  try {
    response = await fetch(url(path, query), init)
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError(0, 'unreachable', 'Turnwatch does not answer. Is the daemon still running?')
  }
  if (!response.ok) throw await refusal(response)
  if (response.status === 204) return undefined as T
  return (await response.json()) as T
}

const get = <T>(path: string, signal?: AbortSignal, query?: Query) => send<T>(path, signal ? { signal } : {}, query)
const post = <T>(path: string, body: unknown = {}) =>
  send<T>(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const remove = <T>(path: string, query?: Query) => send<T>(path, { method: 'DELETE' }, query)

const session = (id: string) => `/sessions/${encodeURIComponent(id)}`

export interface SessionFilter {
  agent?: string
  state?: string
  text?: string
  limit?: number
  cursor?: string
}

export interface TurnFilter {
  from?: number // index of the first one
  limit?: number
  text?: string
  tool?: string
  category?: string
  flag?: string
  errors?: boolean
}

/** Either two sessions, or two turns (counted from 0), or two groups as lists of terms. */
export interface CompareQuery {
  a?: string
  b?: string
  turnA?: number
  turnB?: number
  groupA?: string
  groupB?: string
  tz?: string
}

export interface InsightFilter {
  limit?: number
  agent?: string
  repo?: string
  branch?: string
  model?: string
  label?: string
  from?: string // YYYY-MM-DD in tz, inclusive
  to?: string
  brush?: string // <day>..<day>: of these sessions
  tz?: string
}

/** A page of a conversation: the newest messages, or those after or before a line of the log. */
export interface ConversationQuery {
  limit: number
  after?: number
  before?: number
}

/** Which hooks: of one agent, in the repository that cwd is in, or for all sessions without one. */
export interface HooksTarget {
  cwd?: string | undefined
  agent: string
  force?: boolean
  dryRun?: boolean
}

export interface AutoAttachSettings {
  intervalMs?: number
  onMultiple?: 'wait' | 'newest'
  sessionId?: string
  fromStart?: boolean
}

export const api = {
  health: (signal?: AbortSignal) => get<Health>('/health', signal),
  flags: (signal?: AbortSignal) => get<{ flags: FlagDoc[] }>('/flags', signal),
  sessions: (filter: SessionFilter, signal?: AbortSignal) => get<SessionPage>('/sessions', signal, { ...filter }),
  liveSessions: (signal?: AbortSignal) => get<{ sessions: Session[] }>('/sessions/live', signal),
  runningTools: (signal?: AbortSignal) => get<RunningTools>('/running-tools', signal),
  session: (id: string, signal?: AbortSignal) => get<Session>(session(id), signal),
  turns: (id: string, query: TurnFilter, signal?: AbortSignal) =>
    get<TurnPage>(`${session(id)}/turns`, signal, { ...query }),
  turn: (id: string, index: number, full: boolean, signal?: AbortSignal) =>
    get<Turn>(`${session(id)}/turns/${index}`, signal, { full }),
  call: (id: string, seq: number, signal?: AbortSignal) => get<ToolCall>(`${session(id)}/calls/${seq}`, signal),
  raw: (id: string, offset: number, length: number, signal?: AbortSignal) =>
    get<RawLog>(`${session(id)}/raw`, signal, { offset, length }),
  flow: (id: string, turn: number, signal?: AbortSignal) => get<FlowGraph>(`${session(id)}/flow`, signal, { turn }),
  ribbon: (id: string, from: number, signal?: AbortSignal) => get<Ribbon>(`${session(id)}/ribbon`, signal, { from }),
  transcripts: (id: string, signal?: AbortSignal) => get<{ transcripts: TranscriptInfo[] }>(`${session(id)}/transcripts`, signal),
  conversation: (id: string, query: ConversationQuery, signal?: AbortSignal) =>
    get<ConversationPage>(`${session(id)}/transcript`, signal, { ...query }),
  messages: (id: string, from: number, limit: number, signal?: AbortSignal) =>
    get<{ messages: TurnMessage[] }>(`${session(id)}/messages`, signal, { from, limit }),
  series: (id: string, signal?: AbortSignal) => get<{ points: SeriesPoint[] }>(`${session(id)}/series`, signal),
  compare: (query: CompareQuery, signal?: AbortSignal) => get<Comparison>('/compare', signal, { ...query }),
  insights: (filter: InsightFilter, signal?: AbortSignal) => get<Insights>('/insights', signal, { ...filter }),
  insightsCsv: (filter: InsightFilter) => url('/insights.csv', { ...filter }),
  labels: (signal?: AbortSignal) => get<{ labels: LabelCount[] }>('/labels', signal),
  addLabel: (id: string, label: string) => post<{ labels: string[] }>(`${session(id)}/labels`, { label }),
  removeLabel: (id: string, label: string) => remove<{ labels: string[] }>(`${session(id)}/labels`, { label }),
  hooks: (cwd: string | undefined, signal?: AbortSignal) => get<HooksReport>('/hooks/status', signal, { cwd }),
  installHooks: (body: HooksTarget) => post<HooksReport>('/hooks/install', body),
  uninstallHooks: ({ cwd, agent, dryRun }: HooksTarget) => post<HooksReport>('/hooks/uninstall', { cwd, agent, dryRun }),
  reveal: (body: RevealRequest) => post<{ text: string }>('/reveal', body),
  attach: (body: { sessionId?: string; fromStart?: boolean }) => post<unknown>('/attach', body),
  detach: () => post<unknown>('/detach'),
  startAutoAttach: (body: AutoAttachSettings) => post<unknown>('/auto-attach/start', body),
  stopAutoAttach: () => post<unknown>('/auto-attach/stop'),
}

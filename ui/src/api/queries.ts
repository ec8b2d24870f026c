import { queryOptions } from '@tanstack/react-query'
import type { SessionFilter } from './client'
import { api } from './client'
import { keys } from './keys'

/** What more than one feature asks for. Fresh until a WebSocket message says otherwise. */
export const queries = {
  health: () => queryOptions({ queryKey: keys.health, queryFn: ({ signal }) => api.health(signal), refetchInterval: 15_000 }),
  flagDocs: () =>
    queryOptions({
      queryKey: keys.flags,
      queryFn: async ({ signal }) => (await api.flags(signal)).flags,
      staleTime: Infinity,
    }),
  sessions: (filter: SessionFilter) =>
    queryOptions({ queryKey: keys.sessions(filter), queryFn: ({ signal }) => api.sessions(filter, signal) }),
  liveSessions: () =>
    queryOptions({
      queryKey: keys.liveSessions,
      queryFn: async ({ signal }) => (await api.liveSessions(signal)).sessions,
    }),
  runningTools: () =>
    queryOptions({
      queryKey: keys.runningTools,
      queryFn: async ({ signal }) => (await api.runningTools(signal)).tools,
    }),
  session: (id: string) =>
    queryOptions({ queryKey: keys.session(id), queryFn: ({ signal }) => api.session(id, signal) }),
  series: (id: string) =>
    queryOptions({
      queryKey: keys.series(id),
      queryFn: async ({ signal }) => (await api.series(id, signal)).points,
    }),
  flow: (id: string, turn: number) =>
    queryOptions({ queryKey: keys.flow(id, turn), queryFn: ({ signal }) => api.flow(id, turn, signal) }),
  call: (id: string, seq: number) =>
    queryOptions({ queryKey: keys.call(id, seq), queryFn: ({ signal }) => api.call(id, seq, signal) }),
  raw: (id: string, offset: number, length: number) =>
    queryOptions({
      queryKey: keys.raw(id, offset, length),
      queryFn: ({ signal }) => api.raw(id, offset, length, signal),
      staleTime: Infinity,
    }),
}

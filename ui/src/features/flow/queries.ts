import { queryOptions } from '@tanstack/react-query'
import { api } from '@/api/client'
import { keys } from '@/api/keys'

export const flowQueries = {
  ribbon: (id: string) => queryOptions({ queryKey: keys.ribbon(id), queryFn: ({ signal }) => api.ribbon(id, 0, signal) }),
  turns: (id: string) => queryOptions({ queryKey: keys.turns(id, {}), queryFn: ({ signal }) => api.turns(id, {}, signal) }),
}

import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { api } from '@/api/client'
import { keys } from '@/api/keys'
import { queries } from '@/api/queries'

export const flowQueries = {
  ribbon: (id: string) => queryOptions({ queryKey: keys.ribbon(id), queryFn: ({ signal }) => api.ribbon(id, 0, signal) }),
  turns: (id: string) => queryOptions({ queryKey: keys.turns(id, {}), queryFn: ({ signal }) => api.turns(id, {}, signal) }),
}

/** Asks for what the first paint shows, side by side with the code that draws it. */
export function prefetchFlow(client: QueryClient, id: string): void {
  void client.prefetchQuery(queries.session(id))
  void client.prefetchQuery(flowQueries.ribbon(id))
  void client.prefetchQuery(flowQueries.turns(id))
}

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { Socket } from '@/api/socket'
import { Updates } from '@/api/updates'
import { SocketContext } from '@/hooks/use-connection'
import { router } from './router'

const Toasts = lazy(() => import('@/components/Toasts').then((m) => ({ default: m.Toasts })))

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The WebSocket says when something changed.
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        retry: (failures, error) => failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
        refetchOnWindowFocus: false,
      },
    },
  })
}

export function Providers() {
  const [client] = useState(newQueryClient)
  const [socket] = useState(() => new Socket(new Updates(client).receive))

  useEffect(() => {
    socket.open()
    return () => socket.close()
  }, [socket])

  return (
    <QueryClientProvider client={client}>
      <SocketContext value={socket}>
        <RouterProvider router={router} context={{ client }} />
        <Suspense>
          <Toasts />
        </Suspense>
      </SocketContext>
    </QueryClientProvider>
  )
}

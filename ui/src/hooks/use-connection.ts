import { createContext, use, useEffect, useSyncExternalStore } from 'react'
import type { Connection, Socket } from '@/api/socket'

export const SocketContext = createContext<Socket | undefined>(undefined)

function useSocket(): Socket {
  const socket = use(SocketContext)
  if (!socket) throw new Error('SocketContext is missing')
  return socket
}

export function useConnection(): { connection: Connection; reconnect: () => void } {
  const socket = useSocket()
  return { connection: useSyncExternalStore(socket.watch, socket.connection), reconnect: socket.open }
}

/** Asks the daemon for the messages of one session. */
export function useSubscription(session: string | undefined): void {
  const socket = useSocket()
  useEffect(() => {
    socket.subscribe(session ?? null)
  }, [socket, session])
}

import { Wifi, WifiOff } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { useConnection } from '@/hooks/use-connection'
import { useDelayed } from '@/hooks/use-delayed'
import { useNow } from '@/hooks/use-now'

/** Whether the page hears the daemon; when it does not, how long until it tries again. */
export function ConnectionStatus() {
  const { connection, reconnect } = useConnection()
  const waiting = connection.status === 'waiting'
  const now = useNow(waiting ? 250 : 0)
  const slow = useDelayed(connection.status === 'connecting', 600)

  if (connection.status === 'open') {
    return (
      <span role="status" aria-label="Connected" data-tip="Connected: changes arrive as they happen." className="flex size-7 items-center justify-center text-ok max-sm:hidden">
        <Wifi size={15} aria-hidden />
      </span>
    )
  }
  if (connection.status === 'connecting') {
    return (
      <span role="status" className="flex h-7 min-w-7 items-center justify-center text-text-3">
        {slow ? 'connecting…' : <Wifi size={15} aria-hidden />}
      </span>
    )
  }
  const seconds = Math.max(0, Math.ceil((connection.retryAt - now) / 1000))
  return (
    <span role="status" className="flex h-7 items-center gap-1.5 rounded-md bg-warn-soft pl-2 text-warn">
      <WifiOff size={15} aria-hidden />
      <span className="max-md:sr-only">Reconnecting in</span> {seconds}&nbsp;s
      <Button size="tiny" className="mr-1 text-warn" onClick={reconnect}>
        Now
      </Button>
    </span>
  )
}

import { Hand } from 'lucide-react'
import type { ConversationWindow } from '@/api/conversation'
import { Button } from '@/components/ui/button'
import { useConversation } from '../context'
import type { WindowControl } from '../use-window'

/** Above the first loaded message: whether there is more. Its room is always there, so nothing moves. */
export function EdgeOfLog({ w, control, top, height }: { w: ConversationWindow; control: WindowControl; top: number; height: number }) {
  return (
    <li className="absolute inset-x-0 flex items-center justify-center text-small text-text-3" style={{ top, height }}>
      {control.failed ? (
        <span className="flex items-center gap-2">
          More messages could not be loaded.
          <Button variant="link" size="inline" className="text-small" onClick={() => void (w.hasOlder ? control.older() : control.newer())}>
            Try again
          </Button>
        </span>
      ) : w.hasOlder ? (
        'Loading earlier messages…'
      ) : (
        'The conversation begins here'
      )}
    </li>
  )
}

/** Below the last message: what goes on now. */
export function NowLine({ w, height }: { w: ConversationWindow; height: number }) {
  const { session } = useConversation()
  return (
    <li className="absolute inset-x-0 bottom-0 mx-auto flex w-full max-w-[calc(72ch+10px)] items-center gap-2 px-1 text-text-3 max-md:px-4" style={{ height }}>
      {w.hasNewer ? (
        'Loading later messages…'
      ) : session.state === 'busy' ? (
        <>
          <span aria-hidden className="size-2 animate-breathe rounded-full bg-running" /> <span className="text-running">Working</span>
        </>
      ) : session.state === 'waiting' ? (
        <>
          <Hand size={14} aria-hidden className="text-warn" />
          <span className="truncate">Waiting for you{session.waitingFor ? `: ${session.waitingFor}` : ''}</span>
        </>
      ) : null}
    </li>
  )
}

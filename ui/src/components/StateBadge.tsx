import { CircleDashed, CircleDot, Hand, Moon, TriangleAlert } from 'lucide-react'
import type { Session, SessionState } from '@/api/types'
import { cn } from '@/lib/cn'

const looks = {
  busy: { label: 'working', icon: CircleDot, tone: 'text-running', tip: 'A process holds the session and works.' },
  idle: { label: 'idle', icon: Moon, tone: 'text-ok', tip: 'A process holds the session and waits for the next prompt.' },
  waiting: { label: 'waiting for you', icon: Hand, tone: 'text-warn', tip: 'A process holds the session and waits for an answer.' },
  ended: { label: 'ended', icon: CircleDashed, tone: 'text-text-3', tip: 'No process holds the session; its last turn was closed.' },
  crashed: { label: 'crashed', icon: TriangleAlert, tone: 'text-fail', tip: 'No process holds the session, and its last turn was never closed.' },
} as const

export function isLive(state: SessionState): boolean {
  return state === 'busy' || state === 'idle' || state === 'waiting'
}

export function StateBadge({ session, className }: { session: Pick<Session, 'state' | 'waitingFor'>; className?: string }) {
  const look = looks[session.state] ?? looks.ended
  const Icon = look.icon
  const tip = session.waitingFor ? `${look.tip}\nWaiting for: ${session.waitingFor}` : look.tip
  return (
    <span data-tip={tip} className={cn('inline-flex shrink-0 items-center gap-1', look.tone, className)}>
      <Icon size={13} aria-hidden className={session.state === 'busy' ? 'animate-breathe' : undefined} />
      {look.label}
    </span>
  )
}

import { Check, CircleDashed, CircleDot, CircleSlash, X } from 'lucide-react'
import type { Turn } from '@/api/types'
import { cn } from '@/lib/cn'

const looks = {
  open: { icon: CircleDashed, tone: 'text-text-3', label: 'not finished' },
  ok: { icon: Check, tone: 'text-ok', label: 'finished' },
  failed: { icon: X, tone: 'text-fail', label: 'failed' },
  interrupted: { icon: CircleSlash, tone: 'text-warn', label: 'interrupted' },
  abandoned: { icon: CircleDashed, tone: 'text-text-3', label: 'abandoned' },
} as const

export function statusLabel(turn: Turn, running: boolean): string {
  if (running) return 'running'
  const label = looks[turn.status]?.label ?? turn.status
  return turn.rewound ? `${label}, taken back` : label
}

export function StatusIcon({ turn, running, size = 15 }: { turn: Turn; running: boolean; size?: number }) {
  const look = looks[turn.status] ?? looks.open
  const Icon = running ? CircleDot : look.icon
  const label = statusLabel(turn, running)
  return (
    <span role="img" aria-label={label} data-tip={turn.error ? `${label}: ${turn.error}` : label} className={cn('pointer-events-auto flex shrink-0', running ? 'text-running' : look.tone)}>
      <Icon size={size} aria-hidden className={running ? 'animate-breathe' : undefined} />
    </span>
  )
}

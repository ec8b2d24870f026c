import { Check, Circle, CircleAlert, TriangleAlert } from 'lucide-react'
import { cn } from '@/lib/cn'
import type { Standing, Tone } from '../model'

const looks: Record<Tone, { icon: typeof Check; text: string }> = {
  ok: { icon: Check, text: 'text-ok' },
  warn: { icon: TriangleAlert, text: 'text-warn' },
  fail: { icon: CircleAlert, text: 'text-fail' },
  plain: { icon: Circle, text: 'text-text-3' },
}

/** The sign alone, for where the word is in the label. */
export function StandingIcon({ tone }: { tone: Tone }) {
  const look = looks[tone]
  return <look.icon size={12} aria-hidden className={look.text} />
}

/** How hooks stand, as a sign and a word. */
export function StandingBadge({ standing, className }: { standing: Standing; className?: string }) {
  const look = looks[standing.tone]
  return (
    <span className={cn('inline-flex items-center gap-1 whitespace-nowrap', look.text, className)}>
      <look.icon size={13} aria-hidden />
      {standing.word}
    </span>
  )
}

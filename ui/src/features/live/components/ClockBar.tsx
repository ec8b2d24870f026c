import type { Clocks } from '@/api/types'
import { cn } from '@/lib/cn'
import { duration } from '@/lib/format'
import type { ClockPart } from '../model'
import { clockParts } from '../model'

const looks: Record<ClockPart['name'], { label: string; fill: string; tip: string }> = {
  model: { label: 'model', fill: 'bg-accent', tip: 'The model worked.' },
  tools: { label: 'tools', fill: 'bg-cat-web', tip: 'At least one tool call ran; calls side by side count once.' },
  waiting: { label: 'waiting', fill: 'bg-warn', tip: 'A human was asked and had not answered yet.' },
  other: { label: 'other', fill: 'bg-line-strong', tip: 'None of these, as far as the log tells.' },
}

/** Where the wall time went. */
export function ClockBar({ clocks }: { clocks: Clocks }) {
  const parts = clockParts(clocks)
  if (parts.length === 0) return null
  const words = parts.map((p) => `${looks[p.name].label} ${duration(p.ms)}`).join(', ')
  return (
    <div className="flex items-center gap-3">
      <div role="img" aria-label={`Time: ${words}`} className="flex h-1 min-w-16 flex-1 gap-px overflow-hidden rounded-full">
        {parts.map((p) => (
          <span key={p.name} className={cn('h-full min-w-px', looks[p.name].fill)} style={{ width: `${p.share * 100}%` }} />
        ))}
      </div>
      <ul className="flex shrink-0 gap-3 text-small tabular-nums text-text-3">
        {parts.map((p) => (
          <li key={p.name} className="flex items-center gap-1" data-tip={looks[p.name].tip}>
            <span aria-hidden className={cn('size-2 rounded-[2px]', looks[p.name].fill)} />
            {looks[p.name].label} {duration(p.ms)}
          </li>
        ))}
      </ul>
    </div>
  )
}

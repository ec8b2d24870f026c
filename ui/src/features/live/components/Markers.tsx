import type { LucideIcon } from 'lucide-react'
import { Ban, Bell, CircleAlert, Cpu, Hand, ListTodo, PackageMinus, Sparkles, Webhook } from 'lucide-react'
import type { Marker, MarkerKind, Turn } from '@/api/types'
import { Masked } from '@/components/Masked'
import { Sourced } from '@/components/Sourced'
import { cn } from '@/lib/cn'
import { absolute, compact, duration, plural } from '@/lib/format'
import { Section } from './Section'

const looks: Record<MarkerKind, { label: string; icon: LucideIcon }> = {
  hook: { label: 'Hook', icon: Webhook },
  compaction: { label: 'History compacted', icon: PackageMinus },
  plan_change: { label: 'Plan changed', icon: ListTodo },
  model_change: { label: 'Model changed', icon: Cpu },
  permission_wait: { label: 'Asked for permission', icon: Hand },
  skill: { label: 'Skill', icon: Sparkles },
  abort: { label: 'Aborted', icon: Ban },
  error: { label: 'Error', icon: CircleAlert },
  notice: { label: 'Notice', icon: Bell },
}

const AT_MOST = 40

export function Markers({ turn }: { turn: Turn }) {
  const markers = (turn.markers ?? []).filter((m) => m.kind !== 'skill')
  if (markers.length === 0) return null
  return (
    <Section title={plural(markers.length, 'marker')}>
      <ul>
        {markers.slice(0, AT_MOST).map((m) => (
          <li key={m.seq}>
            <MarkerLine marker={m} />
          </li>
        ))}
      </ul>
      {markers.length > AT_MOST && <p className="text-text-3">{compact(markers.length - AT_MOST)} more stand between the calls.</p>}
    </Section>
  )
}

/** A marker in one line: what, which, how it went, how long. */
export function MarkerLine({ marker: m }: { marker: Marker }) {
  const look = looks[m.kind] ?? looks.notice
  const failed = m.status === 'failed' || m.kind === 'error' || m.kind === 'abort'
  return (
    <div className="flex h-7 min-w-0 items-center gap-2 text-text-2">
      <look.icon size={14} aria-hidden className={cn('shrink-0', failed ? 'text-fail' : 'text-text-3')} />
      <span className={cn('shrink-0', failed && 'text-fail')}>{look.label}</span>
      {m.name && <span className="shrink-0 text-text">{m.name}</span>}
      <span className="min-w-0 flex-1 truncate text-text-3" data-tip={m.text.preview || undefined}>
        <Masked text={m.text.preview.replace(/\s+/g, ' ')} />
      </span>
      <Compaction marker={m} />
      {m.status === 'pending' && <span className="shrink-0 text-running">pending</span>}
      {m.durationMs.quality !== 'unknown' && <span className="shrink-0 tabular-nums">{duration(m.durationMs.value)}</span>}
      <Sourced at={m.ref} tip={absolute(m.at)} className="w-12 shrink-0 text-right text-small tabular-nums text-text-3">
        {m.ref.line > 0 ? `:${m.ref.line}` : 'log'}
      </Sourced>
    </div>
  )
}

function Compaction({ marker: m }: { marker: Marker }) {
  if (m.kind !== 'compaction' || m.preTokens.quality === 'unknown') return null
  return (
    <span className="shrink-0">
      {compact(m.preTokens.value)} → {m.postTokens.quality === 'unknown' ? '—' : compact(m.postTokens.value)} tok
    </span>
  )
}

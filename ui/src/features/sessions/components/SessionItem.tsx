import { Check } from 'lucide-react'
import type { Session } from '@/api/types'
import { AgentGlyph, agentLabel } from '@/components/AgentGlyph'
import { RunningSummary } from '@/components/running/RunningSummary'
import { isLive, StateBadge } from '@/components/StateBadge'
import { CommandItem } from '@/components/ui/command'
import { absolute, ago } from '@/lib/format'
import { placeOfSession, sizeOf, titleOf } from '../model'

interface Props {
  session: Session
  now: number
  current: boolean
  onSelect: () => void
}

export function SessionItem({ session, now, current, onSelect }: Props) {
  return (
    <CommandItem value={session.id} onSelect={onSelect} className="min-h-11">
      <AgentGlyph agent={session.agent} named />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5">
          <span className="truncate">{titleOf(session)}</span>
          {current && <Check size={14} className="shrink-0 text-accent" aria-label="shown now" />}
        </span>
        <span className="block truncate text-small text-text-3">
          {agentLabel(session.agent)} · {placeOfSession(session)}
          {session.repo && session.cwd ? ` · ${session.cwd}` : ''}
          {session.pid ? ` · pid ${session.pid}` : ''}
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end text-small text-text-3">
        <RunningSummary session={session.id}>
          {isLive(session.state) || session.state === 'crashed' ? <StateBadge session={session} /> : <span data-tip={absolute(session.lastAt)}>{ago(session.lastAt, now)}</span>}
        </RunningSummary>
        <span className="max-sm:hidden">
          {sizeOf(session)}
        </span>
      </span>
    </CommandItem>
  )
}

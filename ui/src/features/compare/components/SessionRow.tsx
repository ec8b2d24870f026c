import type { Session } from '@/api/types'
import { AgentGlyph, agentLabel } from '@/components/AgentGlyph'
import { CommandItem } from '@/components/ui/command'
import { absolute, ago } from '@/lib/format'
import { placeOfSession, sizeOf, titleOf } from '@/lib/session'

interface Props {
  session: Session
  now: number
  onSelect: () => void
}

/** A session in a list to choose from. */
export function SessionRow({ session, now, onSelect }: Props) {
  return (
    <CommandItem value={session.id} onSelect={onSelect} className="min-h-11">
      <AgentGlyph agent={session.agent} named />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{titleOf(session)}</span>
        <span className="block truncate text-small text-text-3">
          {agentLabel(session.agent)} · {placeOfSession(session)}
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end text-small text-text-3 tabular-nums">
        <span data-tip={absolute(session.lastAt)}>{ago(session.lastAt, now)}</span>
        <span className="max-sm:hidden">
          {sizeOf(session)}
        </span>
      </span>
    </CommandItem>
  )
}

import { useQuery } from '@tanstack/react-query'
import { queries } from '@/api/queries'
import { agentLabel } from './AgentGlyph'

const tag = 'shrink-0 rounded border px-1 text-small text-text-3'

/** A quiet tag beside an agent whose numbers were never compared with what its own program does. */
export function Unverified({ agent }: { agent: string }) {
  const { data } = useQuery(queries.health())
  const why = data?.unverified?.find((u) => u.agent === agent)?.why
  return why ? (
    <span className={tag} data-tip={`Not checked against the real program.\n${why}`}>
      unverified
    </span>
  ) : null
}

/** What the tag means, once for a page that shows several agents; nothing if all of them are checked. */
export function UnverifiedNote({ agents, className }: { agents: string[]; className?: string }) {
  const { data } = useQuery(queries.health())
  const shown = data?.unverified?.filter((u) => agents.includes(u.agent)) ?? []
  return shown.length > 0 ? (
    <p className={className ?? 'text-small text-text-3'} data-tip={shown.map((u) => u.why).join('\n')}>
      <span className={tag}>unverified</span> {shown.map((u) => agentLabel(u.agent)).join(' and ')}: read as published descriptions say, never checked against the real program.
    </p>
  ) : null
}

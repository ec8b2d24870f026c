import { Link } from '@tanstack/react-router'
import type { Session, Turn } from '@/api/types'
import { AgentGlyph } from '@/components/AgentGlyph'
import { StateBadge } from '@/components/StateBadge'
import { measured, plural } from '@/lib/format'
import { totalOf } from '@/lib/tokens'
import { Section } from './Section'

/** The sub-agents that this turn's calls spawned. */
export function Children({ session, turn }: { session: Session; turn: Turn }) {
  const calls = turn.toolCalls ?? []
  const ids = new Set(calls.flatMap((c) => (c.child ? [c.child] : [])))
  const keys = new Set(calls.map((c) => c.key))
  const children = session.children.filter((c) => ids.has(c.id) || (c.parentCall && keys.has(c.parentCall)))
  if (children.length === 0) return null
  return (
    <Section title={plural(children.length, 'sub-agent')}>
      <ul className="-mx-2">
        {children.map((c) => (
          <li key={c.id}>
            <Link to="/live" search={{ session: c.id }} className="flex h-7 items-center gap-2 rounded-md px-2 hover:bg-hover">
              <AgentGlyph agent={c.agent} size={14} />
              <span className="shrink-0 text-text-2">{c.role || 'sub-agent'}</span>
              <span className="min-w-0 flex-1 truncate">{c.title}</span>
              <span className="shrink-0 text-text-3">{plural(c.totals.calls, 'call')}</span>
              <span className="shrink-0 text-text-3">{measured(totalOf(c.totals.tokens))} tok</span>
              <StateBadge session={c} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { queries } from '@/api/queries'
import { AgentGlyph, agentLabel } from '@/components/AgentGlyph'
import { RunningSummary } from '@/components/running/RunningSummary'
import { StateBadge } from '@/components/StateBadge'
import { Button } from '@/components/ui/button'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuLabel, DropdownMenuTrigger } from '@/components/ui/dropdown-menu'
import { cn } from '@/lib/cn'
import { plural } from '@/lib/format'
import { placeOfSession, titleOf } from '../model'

/** How many sessions running processes hold, and a way to each. */
export function LiveSessions({ onShow }: { onShow: (id: string) => void }) {
  const { data: sessions = [] } = useQuery(queries.liveSessions())
  const count = sessions.length
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button className="min-w-14" data-tip={`${plural(count, 'session')} held by running processes`}>
          <span aria-hidden className={cn('size-2 rounded-full', count > 0 ? 'bg-ok' : 'border border-line-strong')} />
          <span className="max-sm:sr-only">live</span> {count}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-96 max-w-[calc(100vw-16px)]">
        <DropdownMenuLabel>{count === 0 ? 'No running process holds a session' : 'Live now'}</DropdownMenuLabel>
        {sessions.map((s) => (
          <DropdownMenuItem key={s.id} className="h-11" onSelect={() => onShow(s.id)}>
            <AgentGlyph agent={s.agent} named />
            <span className="min-w-0 flex-1">
              <span className="block truncate">{titleOf(s)}</span>
              <span className="block truncate text-small text-text-3">{agentLabel(s.agent)} · {placeOfSession(s)}</span>
            </span>
            <RunningSummary session={s.id}>
              <StateBadge session={s} className="text-small" />
            </RunningSummary>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { Bot, CalendarDays, Cpu, FolderGit2, GitBranch, Tag } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { queries } from '@/api/queries'
import { agentLabel } from '@/components/AgentGlyph'
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from '@/components/ui/command'
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog'
import { useNow } from '@/hooks/use-now'
import { compareQueries } from '../queries'
import type { Suggestion } from '../suggest'
import { suggest } from '../suggest'
import type { FilterName } from '../search'
import { SessionRow } from './SessionRow'

const icons: Record<FilterName, LucideIcon> = { repo: FolderGit2, branch: GitBranch, label: Tag, agent: Bot, model: Cpu, from: CalendarDays, to: CalendarDays }

interface Props {
  side: string
  onPick: (term: string) => void
  onClose: () => void
}

/** Adds a filter or a single session to a group. */
export function GroupPicker({ side, onPick, onClose }: Props) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const recent = useQuery(queries.sessions({ limit: 200 }))
  const labels = useQuery(compareQueries.labels())
  const found = useQuery({ ...queries.sessions({ text: search, limit: 20 }), placeholderData: keepPreviousData })
  const now = useNow(30_000)
  const filters = suggest(search, recent.data?.sessions ?? [], (labels.data ?? []).map((l) => l.label), now)
  const sessions = found.data?.sessions ?? []
  function pick(term: string): void {
    onPick(term)
    onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="h-[min(560px,76vh)] max-w-2xl">
        <DialogTitle className="sr-only">Runs for {side}</DialogTitle>
        <DialogDescription className="sr-only">Filters of a group must all hold; single sessions are added to what they select.</DialogDescription>
        <Command shouldFilter={false} label={`Runs for ${side}`}>
          <CommandInput value={text} onValueChange={setText} placeholder={`Runs for ${side}: repository, branch, label, agent, model, day or session`} />
          <CommandList>
            {found.isSuccess && <CommandEmpty className="p-6 text-center text-text-2">{`Nothing matches “${search}”`}</CommandEmpty>}
            {filters.length > 0 && (
              <CommandGroup heading="All that match">
                {filters.map((s) => (
                  <Filter key={s.term} suggestion={s} onSelect={() => pick(s.term)} />
                ))}
              </CommandGroup>
            )}
            {sessions.length > 0 && (
              <CommandGroup heading="One session">
                {sessions.map((s) => (
                  <SessionRow key={s.id} session={s} now={now} onSelect={() => pick(s.id)} />
                ))}
              </CommandGroup>
            )}
          </CommandList>
        </Command>
      </DialogContent>
    </Dialog>
  )
}

function Filter({ suggestion: s, onSelect }: { suggestion: Suggestion; onSelect: () => void }) {
  const Icon = icons[s.filter]
  return (
    <CommandItem value={s.term} onSelect={onSelect}>
      <Icon size={15} aria-hidden className="shrink-0 text-text-3" />
      <span className="w-16 shrink-0 text-text-3">{s.filter}</span>
      <span className="min-w-0 flex-1 truncate">{s.filter === 'agent' ? agentLabel(s.value) : s.value}</span>
      {s.note && <span className="shrink-0 text-small text-text-3">{s.note}</span>}
    </CommandItem>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { queries } from '@/api/queries'
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from '@/components/ui/command'
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog'
import { useNow } from '@/hooks/use-now'
import { duration, plural, whole } from '@/lib/format'
import { titleOf } from '@/lib/session'
import { compareQueries } from '../queries'
import { SessionRow } from './SessionRow'

interface Props {
  side: string // "A" or "B"
  session: string | undefined
  turns: boolean // choose a turn, too
  onPick: (session: string, turn: number | undefined) => void
  onClose: () => void
}

const LIMIT = 50

/** Chooses the session, or the session and the turn, of one side. */
export function SidePicker({ side, session, turns, onPick, onClose }: Props) {
  const [chosen, setChosen] = useState(session)
  const title = turns ? `Turn for ${side}` : `Session for ${side}`
  function pick(id: string, turn?: number): void {
    onPick(id, turn)
    onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="h-[min(560px,76vh)] max-w-2xl">
        <DialogTitle className="sr-only">{title}</DialogTitle>
        <DialogDescription className="sr-only">Type to search; arrow keys and Enter choose.</DialogDescription>
        {turns && chosen ? (
          <Turns id={chosen} side={side} onPick={(turn) => pick(chosen, turn)} onOther={() => setChosen(undefined)} />
        ) : (
          <Sessions side={side} onPick={(id) => (turns ? setChosen(id) : pick(id))} />
        )}
      </DialogContent>
    </Dialog>
  )
}

function Sessions({ side, onPick }: { side: string; onPick: (id: string) => void }) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const { data, isPending, error } = useQuery({ ...queries.sessions({ text: search, limit: LIMIT }), placeholderData: keepPreviousData })
  const now = useNow(30_000)
  const sessions = data?.sessions ?? []
  const more = (data?.total ?? 0) - sessions.length
  return (
    <Command shouldFilter={false} label={`Session for ${side}`}>
      <CommandInput value={text} onValueChange={setText} placeholder={`Session for ${side}: title, directory, repository, branch or id`} />
      <CommandList>
        {!isPending && <CommandEmpty className="p-6 text-center text-text-2">{error ? error.message : `No session matches “${search}”`}</CommandEmpty>}
        {sessions.length > 0 && (
          <CommandGroup heading={search ? 'Matches' : 'Recent'}>
            {sessions.map((s) => (
              <SessionRow key={s.id} session={s} now={now} onSelect={() => onPick(s.id)} />
            ))}
          </CommandGroup>
        )}
        {more > 0 && <p className="px-2.5 py-2 text-small text-text-3">{whole(more)} more; type to narrow them down.</p>}
      </CommandList>
    </Command>
  )
}

function Turns({ id, side, onPick, onOther }: { id: string; side: string; onPick: (turn: number) => void; onOther: () => void }) {
  const [text, setText] = useState('')
  const { data, isPending, error } = useQuery(compareQueries.turns(id))
  const { data: session } = useQuery(queries.session(id))
  const wanted = useDeferredValue(text.trim().toLowerCase())
  const found = (data?.turns ?? []).filter((t) => wanted === '' || t.prompt.preview.toLowerCase().includes(wanted) || String(t.index + 1) === wanted)
  const shown = [...found].reverse().slice(0, LIMIT)
  return (
    <Command shouldFilter={false} label={`Turn for ${side}`}>
      <CommandInput value={text} onValueChange={setText} placeholder={`Turn for ${side}: its number, or words of its prompt`} />
      <CommandList>
        {!isPending && shown.length === 0 && <p className="p-6 text-center text-text-2">{error ? error.message : wanted ? `No turn matches “${wanted}”` : 'This session has no turn yet.'}</p>}
        <CommandGroup heading={session ? titleOf(session) : 'Turns'}>
          {shown.map((t) => (
            <CommandItem key={t.index} value={`turn-${t.index}`} onSelect={() => onPick(t.index + 1)}>
              <span className="w-8 shrink-0 text-right text-text-3 tabular-nums">{t.index + 1}</span>
              <span className="min-w-0 flex-1 truncate">{t.prompt.preview.replace(/\s+/g, ' ') || 'No prompt text'}</span>
              <span className="shrink-0 text-small text-text-3 tabular-nums">
                {plural(t.totals.calls, 'call')} · {t.totals.clocks.wallMs > 0 ? duration(t.totals.clocks.wallMs) : '—'}
              </span>
            </CommandItem>
          ))}
        </CommandGroup>
        {found.length > shown.length && <p className="px-2.5 py-2 text-small text-text-3">{whole(found.length - shown.length)} more; type to narrow them down.</p>}
        <CommandGroup>
          <CommandItem value="other-session" onSelect={onOther} className="text-accent">
            <ArrowLeftRight size={14} aria-hidden /> Another session…
          </CommandItem>
        </CommandGroup>
      </CommandList>
    </Command>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleHelp, Radio, SunMoon, Webhook } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { queries } from '@/api/queries'
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from '@/components/ui/command'
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog'
import { isLive } from '@/components/StateBadge'
import { useNow } from '@/hooks/use-now'
import { toggleTheme } from '@/lib/prefs'
import { whole } from '@/lib/format'
import { SessionItem } from './SessionItem'

interface Props {
  onOpenChange: (open: boolean) => void
  current: string | undefined
  onShow: (id: string) => void
  onHelp: () => void
  onHooks: () => void
}

const LIMIT = 50

export function SessionPicker(props: Props) {
  return (
    <Dialog open onOpenChange={props.onOpenChange}>
      <DialogContent className="h-[min(560px,76vh)] max-w-2xl">
        <DialogTitle className="sr-only">Sessions and commands</DialogTitle>
        <DialogDescription className="sr-only">Type to search sessions by title, directory, repository, branch or id.</DialogDescription>
        <Picker {...props} />
      </DialogContent>
    </Dialog>
  )
}

function Picker({ onOpenChange, current, onShow, onHelp, onHooks }: Props) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const { data, isPending, error } = useQuery({ ...queries.sessions({ text: search, limit: LIMIT }), placeholderData: keepPreviousData })
  const now = useNow(30_000)
  const sessions = data?.sessions ?? []
  const live = sessions.filter((s) => isLive(s.state))
  const rest = sessions.filter((s) => !isLive(s.state))
  const more = (data?.total ?? 0) - sessions.length

  function run(action: () => void): void {
    onOpenChange(false)
    action()
  }
  const item = (s: (typeof sessions)[number]) => (
    <SessionItem key={s.id} session={s} now={now} current={s.id === current} onSelect={() => run(() => onShow(s.id))} />
  )
  return (
    <Command shouldFilter={false} label="Sessions and commands">
      <CommandInput value={text} onValueChange={setText} placeholder="Title, directory, repository, branch or id" />
      <CommandList>
        {!isPending && <CommandEmpty className="p-6 text-center text-text-2">{error ? error.message : `No session matches “${search}”`}</CommandEmpty>}
        {live.length > 0 && <CommandGroup heading="Live">{live.map(item)}</CommandGroup>}
        {rest.length > 0 && <CommandGroup heading={search ? 'Matches' : 'Recent'}>{rest.map(item)}</CommandGroup>}
        {more > 0 && <p className="px-2.5 py-2 text-small text-text-3">{whole(more)} more; type to narrow them down.</p>}
        {search === '' && (
          <CommandGroup heading="Commands">
            <CommandItem value="command-hooks" onSelect={() => run(onHooks)}>
              <Webhook size={16} className="text-text-3" aria-hidden /> Install or uninstall hooks
            </CommandItem>
            <CommandItem value="command-theme" onSelect={() => run(toggleTheme)}>
              <SunMoon size={16} className="text-text-3" aria-hidden /> Switch between dark and light
            </CommandItem>
            <CommandItem value="command-help" onSelect={() => run(onHelp)}>
              <CircleHelp size={16} className="text-text-3" aria-hidden /> Show the keyboard table
            </CommandItem>
          </CommandGroup>
        )}
      </CommandList>
      <footer className="flex h-8 shrink-0 items-center gap-4 border-t px-4 text-small text-text-3">
        <span className="flex items-center gap-1">
          <Radio size={13} aria-hidden /> {whole(data?.total ?? 0)} sessions
        </span>
        <span className="max-sm:hidden">↑ ↓ choose · Enter opens · Esc closes</span>
      </footer>
    </Command>
  )
}

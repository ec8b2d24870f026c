import { useQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { summary } from '../model'
import { hooksStatus } from '../queries'

const tones = { ok: 'bg-ok', warn: 'bg-warn', fail: 'bg-fail', plain: 'hidden' }

/** Opens the hooks of a repository, and says how they stand. */
export function HooksButton({ cwd, onOpen }: { cwd: string; onOpen: () => void }) {
  const { data } = useQuery({ ...hooksStatus(cwd), retry: false })
  const now = data ? summary(data) : undefined
  return (
    <Button aria-label={now ? `Hooks: ${now.word}` : 'Hooks'} data-tip={now ? `Hooks in this repository: ${now.word}` : 'Hooks'} onClick={onOpen}>
      <span className="relative">
        <Webhook size={16} aria-hidden />
        {now && <span aria-hidden className={cn('absolute -top-0.5 -right-0.5 size-1.5 rounded-full', tones[now.tone])} />}
      </span>
      <span className="max-lg:hidden">Hooks</span>
    </Button>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { summary } from '../model'
import { hooksStatus } from '../queries'
import { StandingIcon } from './StandingBadge'

/** Opens the hooks of a repository, and says how they stand. */
export function HooksButton({ cwd, onOpen }: { cwd: string; onOpen: () => void }) {
  const { data } = useQuery({ ...hooksStatus(cwd), retry: false })
  const now = data ? summary(data) : undefined
  return (
    <Button aria-label={now ? `Hooks: ${now.word}` : 'Hooks'} data-tip={now ? `Hooks in this repository: ${now.word}` : 'Hooks'} onClick={onOpen}>
      <Webhook size={16} aria-hidden />
      <span className="max-lg:hidden">Hooks</span>
      {now && now.tone !== 'plain' && <StandingIcon tone={now.tone} />}
    </Button>
  )
}

import { useState } from 'react'
import { Segmented } from '@/components/Segmented'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import type { Plan } from '../model'
import { verb } from '../model'
import { Agents } from './Agents'
import { Preview } from './Preview'

interface Props {
  /** The shown session's folder; without one, hooks can be put for all sessions only. */
  cwd: string | undefined
  onOpenChange: (open: boolean) => void
}

const scopes = [
  { value: 'repo', label: 'This repository' },
  { value: 'user', label: 'All my sessions' },
] as const

/** Install and uninstall hooks, with the changes shown before. */
export function HooksDialog({ cwd, onOpenChange }: Props) {
  const [scope, setScope] = useState<'repo' | 'user'>(cwd ? 'repo' : 'user')
  const [plan, setPlan] = useState<Plan>()
  const folder = scope === 'repo' ? cwd : undefined
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent className="max-w-3xl">
        <DialogHeader title={plan ? `${verb(plan)}: what changes` : 'Hooks'} description={folder ?? 'Your own settings, for every session'} />
        {plan ? (
          <Preview cwd={folder} plan={plan} onBack={() => setPlan(undefined)} />
        ) : (
          <>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-3">
              <p className="min-w-0 flex-1 basis-72 text-text-2">
                A hook is a line in an agent’s settings. With it a call shows up here while it runs, not only once it is in the log. It never answers the agent, and
                what others wrote there stays as it is.
              </p>
              {cwd && <Segmented label="Where" value={scope} options={[...scopes]} onChange={setScope} />}
            </div>
            <Agents cwd={folder} onPlan={setPlan} />
          </>
        )}
      </DialogContent>
    </Dialog>
  )
}

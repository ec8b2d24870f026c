import { useQuery } from '@tanstack/react-query'
import { FolderX } from 'lucide-react'
import type { HooksReport } from '@/api/types'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Notice } from '@/components/Notice'
import { Skeleton } from '@/components/Skeleton'
import { Button } from '@/components/ui/button'
import { plural } from '@/lib/format'
import type { Plan } from '../model'
import { planForAll, planForNone } from '../model'
import { hooksStatus } from '../queries'
import { AgentRow } from './AgentRow'

interface Props {
  cwd: string | undefined
  onPlan: (plan: Plan) => void
}

/** How the hooks of each agent stand in one place. */
export function Agents({ cwd, onPlan }: Props) {
  const { data, error, isPending, refetch } = useQuery({ ...hooksStatus(cwd), retry: false, refetchOnMount: 'always' })
  if (isPending) return <Skeleton rows={3} label="Looking at the hooks" />
  if (error) return <ErrorNotice error={error} what="The hooks cannot be looked at" onRetry={() => void refetch()} />
  if (data.reason) {
    return (
      <Notice icon={FolderX} title="No hooks can be put here">
        {data.reason}
      </Notice>
    )
  }
  return (
    <>
      <ul className="min-h-0 flex-1 divide-y overflow-y-auto">
        {data.agents.map((a) => (
          <AgentRow key={a.agent} report={a} root={data.root} onPlan={onPlan} />
        ))}
      </ul>
      <ForAll report={data} onPlan={onPlan} />
    </>
  )
}

function ForAll({ report, onPlan }: { report: HooksReport; onPlan: Props['onPlan'] }) {
  const all = planForAll(report)
  const none = planForNone(report)
  const elsewhere = new Set(report.places.filter((p) => p.scope === 'repo' && p.root !== report.root).map((p) => p.root))
  if (!all && !none && elsewhere.size === 0) return null
  return (
    <footer className="flex min-h-12 shrink-0 flex-wrap items-center justify-end gap-2 border-t px-4 py-2">
      {elsewhere.size > 0 && (
        <span className="mr-auto text-small text-text-3" data-tip={[...elsewhere].join('\n')}>
          Also in {plural(elsewhere.size, 'other repository', 'other repositories')}
        </span>
      )}
      {none && (
        <Button variant="outline" onClick={() => onPlan(none)}>
          Uninstall all…
        </Button>
      )}
      {all && (
        <Button variant="primary" onClick={() => onPlan(all)}>
          Install for {plural(all.agents.length, 'agent')}…
        </Button>
      )}
    </footer>
  )
}

import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, LoaderCircle } from 'lucide-react'
import type { HookAgentReport } from '@/api/types'
import { agentLabel } from '@/components/AgentGlyph'
import { DiffView } from '@/components/DiffView'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Skeleton } from '@/components/Skeleton'
import { Button } from '@/components/ui/button'
import { patchDiffs } from '@/lib/diff'
import type { Plan } from '../model'
import { shortPath, verb } from '../model'
import { hooksPreview, hooksStatus, useCarryOut } from '../queries'

interface Props {
  cwd: string | undefined
  plan: Plan
  onBack: () => void
}

/** What a plan changes, before it is carried out. */
export function Preview({ cwd, plan, onBack }: Props) {
  const root = useQuery(hooksStatus(cwd)).data?.root
  const preview = useQuery({ ...hooksPreview(cwd, plan), retry: false })
  const carryOut = useCarryOut(cwd)
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-2">
        {preview.isPending && <Skeleton label="Working out the changes" />}
        {preview.error && <ErrorNotice error={preview.error} what="Nothing can be changed" onRetry={() => void preview.refetch()} />}
        {preview.data?.map((a) => <Change key={a.agent} report={a} root={root} plan={plan} />)}
      </div>
      <footer className="flex min-h-12 shrink-0 items-center justify-end gap-2 border-t px-4">
        <Button onClick={onBack} className="mr-auto">
          <ArrowLeft size={14} /> Back
        </Button>
        <Button variant="primary" disabled={!preview.data || carryOut.isPending} onClick={() => carryOut.mutate(plan, { onSuccess: onBack })}>
          {carryOut.isPending && <LoaderCircle size={14} className="animate-spin" aria-hidden />}
          {verb(plan)}
        </Button>
      </footer>
    </>
  )
}

function Change({ report, root, plan }: { report: HookAgentReport; root: string | undefined; plan: Plan }) {
  const path = shortPath(report.path, root)
  return (
    <section className="py-2" aria-label={`Changes for ${agentLabel(report.agent)}`}>
      <h3 className="font-medium">{agentLabel(report.agent)}</h3>
      {plan.force.includes(report.agent) && <p className="text-text-2">The present file is moved aside first, and back when you uninstall.</p>}
      {report.backup && plan.action === 'uninstall' && <p className="text-text-2">The file that was moved aside comes back.</p>}
      {report.diff ? (
        <DiffView files={patchDiffs(report.diff).map((file) => ({ ...file, path }))} />
      ) : (
        <p className="text-text-2">
          <span className="font-mono text-code">{path}</span> stays as it is{plan.action === 'install' ? '; its hooks are connected to this Turnwatch.' : '.'}
        </p>
      )}
    </section>
  )
}

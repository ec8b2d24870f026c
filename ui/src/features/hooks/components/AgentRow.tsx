import type { HookAgentReport } from '@/api/types'
import { AgentGlyph, agentLabel } from '@/components/AgentGlyph'
import { Button } from '@/components/ui/button'
import type { Plan } from '../model'
import { offers, shortPath, standing } from '../model'
import { StandingBadge } from './StandingBadge'

interface Props {
  report: HookAgentReport
  root: string | undefined
  onPlan: (plan: Plan) => void
}

/** One agent: how its hooks stand, where, what to know, and what can be done. */
export function AgentRow({ report, root, onPlan }: Props) {
  return (
    <li aria-label={agentLabel(report.agent)} className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <span className="mt-0.5">
        <AgentGlyph agent={report.agent} size={18} />
      </span>
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-x-3">
          <span className="font-medium">{agentLabel(report.agent)}</span>
          <StandingBadge standing={standing(report)} />
          {!report.present && <span className="text-small text-text-3">not on this machine</span>}
        </div>
        <div className="truncate font-mono text-code text-text-3" data-tip={report.path}>
          {shortPath(report.path, root)}
        </div>
        {report.notes.map((note) => (
          <p key={note} className="mt-1 text-small text-text-2">
            {note}
          </p>
        ))}
      </div>
      <div className="flex gap-1">
        {offers(report).map((offer) => (
          <Button key={offer.label} variant="outline" aria-label={`${offer.label} ${agentLabel(report.agent)}`} onClick={() => onPlan(offer.plan)}>
            {offer.label}
          </Button>
        ))}
      </div>
    </li>
  )
}

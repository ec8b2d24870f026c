import type { UseMutationResult } from '@tanstack/react-query'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { HooksTarget } from '@/api/client'
import { api } from '@/api/client'
import { keys } from '@/api/keys'
import type { HookAgentReport } from '@/api/types'
import { agentLabel } from '@/components/AgentGlyph'
import { toast } from '@/lib/toast'
import type { Plan } from './model'

/** How the hooks stand. People edit the files too, or answer the agent in a terminal, and then come back to the page. */
export const hooksStatus = (cwd: string | undefined) =>
  queryOptions({ queryKey: keys.hooks(cwd), queryFn: ({ signal }) => api.hooks(cwd, signal), staleTime: 5_000, refetchOnWindowFocus: true })

/** Does a plan, agent after agent, and returns what became of each. */
async function carryOut(plan: Plan, target: Omit<HooksTarget, 'agent'>): Promise<HookAgentReport[]> {
  const done: HookAgentReport[] = []
  for (const agent of plan.agents) {
    const body = { ...target, agent, force: plan.force.includes(agent) }
    const report = await (plan.action === 'install' ? api.installHooks(body) : api.uninstallHooks(body))
    done.push(...report.agents)
  }
  return done
}

/** What a plan would change, as diffs. */
export const hooksPreview = (cwd: string | undefined, plan: Plan) =>
  queryOptions({ queryKey: keys.hooksPreview(cwd, plan), queryFn: () => carryOut(plan, { cwd, dryRun: true }), staleTime: 0, gcTime: 0 })

export function useCarryOut(cwd: string | undefined): UseMutationResult<HookAgentReport[], Error, Plan> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (plan: Plan) => carryOut(plan, { cwd }),
    onSuccess: (done, plan) => {
      const names = done.map((a) => agentLabel(a.agent)).join(', ')
      toast.success(plan.action === 'install' ? `Hooks installed for ${names}` : `Hooks of ${names} taken out`)
    },
    onError: (error) => toast.error('That did not work', { description: error.message }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.allHooks }),
  })
}

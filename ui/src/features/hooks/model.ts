import type { HookAgentReport, HooksReport } from '@/api/types'

export type Tone = 'ok' | 'warn' | 'fail' | 'plain'

/** What is to be done with the hooks of some agents. */
export interface Plan {
  action: 'install' | 'uninstall'
  agents: string[]
  /** Agents whose file of our name is somebody else's, which is then moved aside. */
  force: string[]
}

export interface Standing {
  word: string
  tone: Tone
}

/** How one agent's hooks stand, in a word or two. */
export function standing(a: HookAgentReport): Standing {
  switch (a.state) {
    case 'none':
      return { word: 'not installed', tone: 'plain' }
    case 'modified':
      return { word: 'changed since', tone: 'warn' }
    case 'unlinked':
      return { word: 'not connected', tone: 'warn' }
    case 'foreign':
      return { word: 'foreign file', tone: 'warn' }
    case 'broken':
      return { word: 'cannot be read', tone: 'fail' }
    case 'installed':
      if (a.trust === 'pending') return { word: 'waits for your trust', tone: 'warn' }
      if (a.trust === 'modified') return { word: 'waits for your trust again', tone: 'warn' }
      return { word: 'installed', tone: 'ok' }
  }
}

export interface Offer {
  label: string
  plan: Plan
}

/** What can be done with one agent's hooks; the first is what most people want. */
export function offers(a: HookAgentReport): Offer[] {
  const install = (label: string, force = false): Offer => ({
    label,
    plan: { action: 'install', agents: [a.agent], force: force ? [a.agent] : [] },
  })
  const uninstall: Offer = { label: 'Uninstall…', plan: { action: 'uninstall', agents: [a.agent], force: [] } }
  switch (a.state) {
    case 'none':
      return [install('Install…')]
    case 'installed':
      return [uninstall]
    case 'modified':
      return [install('Put right…'), uninstall]
    case 'unlinked':
      return [install('Connect…'), uninstall]
    case 'foreign':
      return [install('Move aside and install…', true)]
    case 'broken':
      return []
  }
}

const present = (report: HooksReport) => report.agents.filter((a) => a.present)

/** One plan for all agents of this machine that lack hooks, if there are several. */
export function planForAll(report: HooksReport): Plan | undefined {
  const agents = present(report)
    .filter((a) => a.state === 'none' || a.state === 'unlinked' || a.state === 'modified')
    .map((a) => a.agent)
  return agents.length > 1 ? { action: 'install', agents, force: [] } : undefined
}

/** One plan to take out all hooks, if several agents have them. */
export function planForNone(report: HooksReport): Plan | undefined {
  const agents = report.agents.filter((a) => a.state === 'installed' || a.state === 'modified' || a.state === 'unlinked').map((a) => a.agent)
  return agents.length > 1 ? { action: 'uninstall', agents, force: [] } : undefined
}

/** What the button says of a repository. */
export function summary(report: HooksReport): Standing {
  if (report.folder === 'gone') return { word: 'the folder is gone', tone: 'plain' }
  if (report.folder === 'outside') return { word: 'only for repositories', tone: 'plain' }
  const some = report.agents.filter((a) => a.state !== 'none' && a.state !== 'foreign')
  const worst = some.map(standing).find((s) => s.tone !== 'ok')
  if (worst) return worst
  return some.length > 0 ? { word: 'installed', tone: 'ok' } : { word: 'not installed', tone: 'plain' }
}

/** The words on the button that carries a plan out. */
export function verb(plan: Plan): string {
  if (plan.action === 'uninstall') return 'Uninstall'
  return plan.force.length > 0 ? 'Move aside and install' : 'Install'
}

/** A file's path below the repository's folder, or the whole of it. */
export function shortPath(path: string, root: string | undefined): string {
  return root && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

import { useQuery } from '@tanstack/react-query'
import { FolderCheck, FolderSearch, FolderX } from 'lucide-react'
import { queries } from '@/api/queries'
import { AgentGlyph, agentLabel } from '@/components/AgentGlyph'
import { CopyButton } from '@/components/CopyButton'
import { Notice } from '@/components/Notice'
import { Unverified, UnverifiedNote } from '@/components/Unverified'
import { cn } from '@/lib/cn'

const DEMO = 'turnwatch serve --demo'

/** No agent has left anything here: where we looked, and how to see the page with something in it. */
export function NoSessions() {
  const { data } = useQuery(queries.health())
  const roots = data?.roots ?? []
  if (data && !data.ready) return <Notice icon={FolderSearch} title="Reading the history">The newest sessions come first, in a moment.</Notice>
  return (
    <Notice icon={FolderSearch} title="No agent has left a session here yet" wide>
      <p>Start one in a terminal and it shows up here by itself. To see the page with recordings in it:</p>
      <p className="mt-3 inline-flex items-center gap-2 rounded-md border bg-panel py-1 pr-1 pl-3 font-mono text-code text-text">
        {DEMO}
        <CopyButton text={DEMO} what="the command" />
      </p>
      {roots.length > 0 && (
        <div className="mt-5 text-left">
          <h3 className="mb-1 text-small text-text-3">Looked in</h3>
          <ul className="divide-y rounded-md border bg-panel">
            {[...new Set(roots.map((root) => root.agent))].map((agent) => (
              <li key={agent} className="flex items-start gap-2 px-3 py-1.5">
                <span className="flex h-5 items-center">
                  <AgentGlyph agent={agent} named />
                </span>
                <span className="flex w-24 shrink-0 flex-wrap gap-x-2 text-text sm:w-44">
                  {agentLabel(agent)} <Unverified agent={agent} />
                </span>
                <ul className="min-w-0 flex-1">
                  {roots.filter((root) => root.agent === agent).map((root) => (
                    <Place key={root.path} {...root} />
                  ))}
                </ul>
              </li>
            ))}
          </ul>
          <UnverifiedNote agents={roots.map((root) => root.agent)} className="mt-2 text-small text-text-3" />
        </div>
      )}
    </Notice>
  )
}

/** A folder. Its end tells it apart from its neighbours, so the beginning gives way where there is no room. */
function Place({ path, exists }: { path: string; exists: boolean }) {
  const Icon = exists ? FolderCheck : FolderX
  return (
    <li className="flex items-center gap-2">
      <span dir="rtl" className="min-w-0 flex-1 truncate text-left font-mono text-code" data-tip={path}>
        <bdi dir="ltr">{path}</bdi>
      </span>
      <span className={cn('flex shrink-0 items-center gap-1', exists ? 'text-ok' : 'text-text-3')}>
        <Icon size={14} aria-hidden />
        <span className="max-sm:sr-only">{exists ? 'empty' : 'not there'}</span>
      </span>
    </li>
  )
}

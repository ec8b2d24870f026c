import { useQuery } from '@tanstack/react-query'
import { FolderCheck, FolderSearch, FolderX } from 'lucide-react'
import { queries } from '@/api/queries'
import { AgentGlyph, agentLabel } from '@/components/AgentGlyph'
import { CopyButton } from '@/components/CopyButton'
import { Notice } from '@/components/Notice'
import { Unverified } from '@/components/Unverified'

const DEMO = 'turnwatch serve --demo'

/** No agent has left anything here: where we looked, and how to see the page with something in it. */
export function NoSessions() {
  const { data } = useQuery(queries.health())
  const roots = data?.roots ?? []
  if (data && !data.ready) return <Notice icon={FolderSearch} title="Reading the history">The newest sessions come first, in a moment.</Notice>
  return (
    <Notice icon={FolderSearch} title="No agent has left a session here yet">
      <p>Start one in a terminal and it shows up here by itself. To see the page with recordings in it:</p>
      <p className="mt-3 inline-flex items-center gap-2 rounded-md border bg-panel py-1 pr-1 pl-3 font-mono text-code text-text">
        {DEMO}
        <CopyButton text={DEMO} what="the command" />
      </p>
      {roots.length > 0 && (
        <div className="mt-5 text-left">
          <h3 className="mb-1 text-small text-text-3">Looked in</h3>
          <ul className="divide-y rounded-md border bg-panel">
            {roots.map((root) => (
              <li key={root.agent + root.path} className="flex items-center gap-2 px-3 py-1.5">
                <AgentGlyph agent={root.agent} />
                <span className="w-24 shrink-0 text-text">{agentLabel(root.agent)}</span>
                <span className="min-w-0 flex-1 truncate font-mono text-code" data-tip={root.path}>
                  {root.path}
                </span>
                <Unverified agent={root.agent} />
                <span className={root.exists ? 'flex items-center gap-1 text-ok' : 'flex items-center gap-1 text-text-3'}>
                  {root.exists ? <FolderCheck size={14} aria-hidden /> : <FolderX size={14} aria-hidden />}
                  {root.exists ? 'empty' : 'not there'}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Notice>
  )
}

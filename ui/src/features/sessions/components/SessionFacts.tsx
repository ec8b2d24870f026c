import type { ReactNode } from 'react'
import type { Session } from '@/api/types'
import { agentLabel } from '@/components/AgentGlyph'
import { categories } from '@/components/categories'
import { CopyButton } from '@/components/CopyButton'
import { StateBadge } from '@/components/StateBadge'
import { UnverifiedNote } from '@/components/Unverified'
import { PopoverClose } from '@/components/ui/popover'
import { absolute, compact, duration, measured, plural, whole } from '@/lib/format'
import { tokenClasses } from '@/lib/tokens'
import { costs, titleOf } from '../model'

/** Everything that is known about a session, with copy buttons. */
export function SessionFacts({ session, onShow }: { session: Session; onShow: (id: string) => void }) {
  const clocks = session.treeTotals.clocks
  const context = session.context
  return (
    <div className="flex flex-col gap-3 tabular-nums">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5">
        <Fact name="Id" copy={session.id} mono />
        <Fact name="Agent">{`${agentLabel(session.agent)} ${session.version ?? ''}`}</Fact>
        <Fact name="State">
          <StateBadge session={session} />
          {session.pid ? ` pid ${session.pid}` : ''}
        </Fact>
        <Fact name="Directory" copy={session.cwd} mono />
        {session.branch && <Fact name="Branch" copy={session.branch} mono />}
        {session.model && <Fact name="Model">{session.model}</Fact>}
        <Fact name="Log" copy={session.path} mono />
        <Fact name="Started">{absolute(session.startedAt)}</Fact>
        <Fact name="Last record">{absolute(session.lastAt)}</Fact>
        {context.tokens.quality !== 'unknown' && (
          <Fact name="Context">
            {measured(context.tokens)} tokens
            {context.window.quality !== 'unknown' && ` of ${compact(context.window.value)} (${Math.round((context.tokens.value / context.window.value) * 100)} %)`}
          </Fact>
        )}
        <Fact name="Time">
          model {duration(clocks.modelMs)} · tools {duration(clocks.toolMs)} · waiting {duration(clocks.waitMs)}
        </Fact>
        {costs(session).map((cost) => (
          <Fact key={cost.text} name="Cost">
            <span data-tip={cost.tip}>{cost.text}</span>
          </Fact>
        ))}
      </dl>
      <UnverifiedNote agents={[session.agent]} />
      <Tokens session={session} />
      <Tools session={session} />
      <Children session={session} onShow={onShow} />
    </div>
  )
}

function Fact({ name, copy, mono, children }: { name: string; copy?: string; mono?: boolean; children?: ReactNode }) {
  if (copy === '' || (copy === undefined && children === undefined)) return null
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1">
        {copy === undefined ? (
          <span className="min-w-0">{children}</span>
        ) : (
          <>
            <span className={mono ? 'truncate font-mono text-code' : 'truncate'} data-tip={copy}>
              {copy}
            </span>
            <CopyButton text={copy} what={`the ${name.toLowerCase()}`} />
          </>
        )}
      </dd>
    </>
  )
}

function Heading({ children }: { children: ReactNode }) {
  return <h2 className="mb-1 border-t pt-2 text-small text-text-3">{children}</h2>
}

function Tokens({ session }: { session: Session }) {
  const t = session.treeTotals.tokens
  return (
    <section>
      <Heading>Tokens{session.children.length ? ', sub-agents included' : ''}</Heading>
      <dl className="grid grid-cols-2 gap-x-6">
        {tokenClasses.map(({ key, label }) => (
          <div key={key} className="flex justify-between gap-2">
            <dt className="text-text-2">{label}</dt>
            <dd data-tip={t[key].quality === 'unknown' ? 'The log does not say.' : undefined}>{measured(t[key], whole)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Tools({ session }: { session: Session }) {
  const tools = session.topTools ?? []
  if (tools.length === 0) return null
  return (
    <section>
      <Heading>Top tools</Heading>
      <ul className="grid grid-cols-2 gap-x-6">
        {tools.slice(0, 8).map((t) => {
          const look = categories[t.category] ?? categories.other
          return (
            <li key={t.tool} className="flex items-center gap-1.5">
              <look.icon size={13} aria-hidden className={look.text} />
              <span className="min-w-0 flex-1 truncate">{t.tool}</span>
              {t.failed > 0 && <span className="text-fail">{compact(t.failed)} failed</span>}
              <span>{compact(t.calls)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Children({ session, onShow }: { session: Session; onShow: (id: string) => void }) {
  const children = session.children
  if (children.length === 0) return null
  return (
    <section>
      <Heading>{plural(children.length, 'sub-agent')}</Heading>
      <ul>
        {children.map((child) => (
          <li key={child.id} className="flex items-center gap-2">
            <PopoverClose asChild>
              <button type="button" className="min-w-0 flex-1 truncate text-left text-accent hover:underline" onClick={() => onShow(child.id)}>
                {titleOf(child)}
              </button>
            </PopoverClose>
            <span className="text-text-3">{plural(child.totals.calls, 'call')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

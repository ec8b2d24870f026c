import { useQuery } from '@tanstack/react-query'
import { CornerLeftUp, Ellipsis, FileX } from 'lucide-react'
import type { ReactNode } from 'react'
import { lazy, Suspense } from 'react'
import type { Session } from '@/api/types'
import { queries } from '@/api/queries'
import { AgentGlyph, agentLabel } from '@/components/AgentGlyph'
import { CopyButton } from '@/components/CopyButton'
import { Sparkline } from '@/components/Sparkline'
import { StateBadge } from '@/components/StateBadge'
import { Unverified } from '@/components/Unverified'
import { Button, IconButton } from '@/components/ui/button'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import { measured, plural } from '@/lib/format'
import { tokenTip, totalOf } from '@/lib/tokens'
import { Masked } from '@/components/Masked'
import { costs, placeOfSession, titleOf } from '../model'
import { TopTools } from './TopTools'

const SessionFacts = lazy(() => import('./SessionFacts').then((m) => ({ default: m.SessionFacts })))

interface Props {
  id: string
  onShow: (session: string) => void
  /** What else can be done where the session works. */
  actions?: (cwd: string) => ReactNode
}

/** The shown session in one line of names and one of numbers. */
export function SessionHeader({ id, onShow, actions }: Props) {
  const { data: session } = useQuery(queries.session(id))
  return (
    <section aria-label="Session" className="flex h-13 shrink-0 items-center gap-3 border-b bg-panel pr-2 pl-3">
      {!session && <h1 className="sr-only">Session</h1>}
      {session && (
        <>
          <AgentGlyph agent={session.agent} size={20} named />
          <Names session={session} onShow={onShow} />
          <Numbers session={session} />
          <Sparks id={id} />
          {session.cwd && actions?.(session.cwd)}
          <Popover>
            <PopoverTrigger asChild>
              <IconButton label="All about this session">
                <Ellipsis size={16} />
              </IconButton>
            </PopoverTrigger>
            <PopoverContent className="w-[30rem]" aria-label="All about this session">
              <Suspense>
                <SessionFacts session={session} onShow={onShow} />
              </Suspense>
            </PopoverContent>
          </Popover>
        </>
      )}
    </section>
  )
}

function Names({ session, onShow }: { session: Session; onShow: (id: string) => void }) {
  const title = titleOf(session)
  return (
    <div className="min-w-0 flex-1">
      <div className="flex min-w-0 items-center gap-1">
        {session.parent && (
          <Button size="tiny" className="text-accent" onClick={() => onShow(session.parent!)}>
            <CornerLeftUp size={13} /> Parent
          </Button>
        )}
        <h1 className="truncate text-[14px] font-semibold" data-tip={title}>
          <Masked text={title} />
        </h1>
        <CopyButton text={session.id} what="the session’s id" className="max-sm:hidden" />
      </div>
      <div className="flex min-w-0 items-center gap-1.5 overflow-hidden text-small whitespace-nowrap text-text-2">
        <span className="shrink-0">{agentLabel(session.agent)}</span>
        <Dot />
        <StateBadge session={session} />
        {session.pid ? <span className="max-sm:hidden">pid {session.pid}</span> : null}
        <Dot />
        <span className="truncate" data-tip={session.cwd}>
          {placeOfSession(session)}
        </span>
        {session.model && (
          <>
            <Dot />
            <span className="max-md:hidden">{session.model}</span>
          </>
        )}
        <Unverified agent={session.agent} />
        {session.gone && (
          <span className="flex items-center gap-1 text-warn" data-tip={`The log is no longer there; the numbers are kept.\n${session.path}`}>
            <FileX size={13} aria-hidden /> log gone
          </span>
        )}
      </div>
    </div>
  )
}

function Dot() {
  return <span aria-hidden className="text-text-3 last:hidden max-md:nth-last-2:hidden">·</span>
}

function Numbers({ session }: { session: Session }) {
  const t = session.treeTotals
  const tokens = totalOf(t.tokens)
  const n = session.children.length
  const children = n > 0 ? `\nWith ${plural(n, 'sub-agent')}.` : ''
  const own = n > 0 ? `\n${plural(session.totals.calls, 'call')} of its own.` : ''
  const failed = t.failedCalls > 0 ? `, ${plural(t.failedCalls, 'failure')}` : ''
  return (
    <div className="flex shrink-0 items-center gap-4 tabular-nums max-md:hidden">
      <TopTools tools={session.topTools ?? []} />
      <Figure value={plural(session.totals.turns, 'turn')} tip={`${plural(session.totals.roundTrips, 'round trip')}${n > 0 ? '\nWithout those of its sub-agents.' : ''}`} />
      {n > 0 && <span className="-mr-2 text-text-3">with {plural(n, 'sub-agent')}:</span>}
      <Figure value={plural(t.calls, 'call')} tip={`${plural(t.calls, 'tool call')}${failed}${children}${own}`} />
      <Figure value={`${measured(tokens)} tok`} tip={tokenTip(t.tokens) + children} />
      {costs(session).filter((cost) => cost.known).map((cost) => (
        <Figure key={cost.text} value={cost.text} tip={cost.tip + children} />
      ))}
    </div>
  )
}

function Figure({ value, tip }: { value: string; tip: string }) {
  return (
    <span className="whitespace-nowrap" data-tip={tip}>
      {value}
    </span>
  )
}

function Sparks({ id }: { id: string }) {
  const { data: points = [] } = useQuery(queries.series(id))
  if (points.length < 2) return null
  const premium = points.flatMap((p) => (p.premiumRequests ? [p.premiumRequests.value] : []))
  return (
    <div className="flex items-center gap-2 max-lg:hidden">
      <Sparkline values={points.map((p) => p.tokens.value)} label={`Tokens over ${plural(points.length, 'turn')}`} />
      {premium.some((n) => n > 0) && <Sparkline values={premium} label={`Premium requests over ${plural(points.length, 'turn')}`} />}
    </div>
  )
}

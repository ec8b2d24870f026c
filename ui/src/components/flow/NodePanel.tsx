import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Flag as FlagIcon, X } from 'lucide-react'
import type { FlowGraph, FlowNode } from '@/api/flow'
import { queries } from '@/api/queries'
import type { Flag } from '@/api/types'
import { Code } from '@/components/Code'
import { flagLooks } from '@/components/flags'
import { IconButton } from '@/components/ui/button'
import { pretty } from '@/lib/args'
import { cn } from '@/lib/cn'
import { absolute, clockTime, compact, duration, measured } from '@/lib/format'
import { idOfTarget, lookOf, nameOf, stateOf, summaryOf, tookOf } from './words'

interface Props {
  session: string
  node: FlowNode
  graph: FlowGraph
  onPin: (id: string | undefined) => void
}

/** What is known of the pinned node: facts, why it is flagged and on what evidence, what was asked and what came back. */
export function NodePanel({ session, node, graph, onPin }: Props) {
  const look = lookOf(node)
  const Icon = look.icon
  const owner = node.lane || session
  return (
    <section aria-label={`Pinned: ${nameOf(node)}`} className="flex max-h-[45%] min-h-24 shrink-0 flex-col border-t bg-panel">
      <header className="flex shrink-0 items-center gap-2 px-3 pt-2 pb-1">
        <Icon size={15} aria-hidden className={cn('shrink-0', look.tone)} />
        <h3 className="min-w-0 truncate font-semibold">{nameOf(node)}</h3>
        <Facts node={node} />
        <span className="ml-auto flex shrink-0 items-center gap-1">
          <Link to="/live" search={liveSearch(owner, node)} className="flex items-center gap-1 rounded-md px-1.5 py-0.5 whitespace-nowrap text-accent hover:bg-hover">
            Open in Live
            <ArrowRight size={14} aria-hidden />
          </Link>
          <IconButton label="Unpin (Esc)" size="tinyIcon" onClick={() => onPin(undefined)}>
            <X size={14} />
          </IconButton>
        </span>
      </header>
      <div tabIndex={0} role="region" aria-label="Details of the pinned node" className="flex min-h-0 flex-col gap-2 overflow-y-auto px-3 pb-3">
        {node.flagDetails.map((flag, i) => (
          <FlagLine key={i} flag={flag} lane={node.lane} graph={graph} onPin={onPin} />
        ))}
        {node.kind === 'tool' ? <CallTexts owner={owner} node={node} /> : <Texts node={node} />}
      </div>
    </section>
  )
}

function liveSearch(owner: string, node: FlowNode) {
  return node.kind === 'tool' ? { session: owner, turn: node.turn + 1, tab: 'calls' as const, call: node.seq } : { session: owner, turn: node.turn + 1 }
}

function Facts({ node }: { node: FlowNode }) {
  const facts = [
    node.kind === 'assistant' ? node.label : '',
    stateOf(node) || (node.kind === 'tool' ? 'ok' : ''),
    tookOf(node),
    node.waitMs ? `waited ${duration(node.waitMs)}` : '',
    node.tokens ? `${measured(node.tokens)} tok` : '',
    node.lane ? 'in a sub-agent' : '',
  ].filter(Boolean)
  return (
    <span className="min-w-0 truncate text-small text-text-2" data-tip={absolute(node.startedAt)}>
      {facts.join(' · ')}
      {node.startedAt > 0 && <span className="text-text-3"> · {clockTime(node.startedAt)}</span>}
    </span>
  )
}

const MOST_PLACES = 12

function FlagLine({ flag, lane, graph, onPin }: { flag: Flag; lane: string; graph: FlowGraph; onPin: Props['onPin'] }) {
  const places = flag.evidence.flatMap((e) => {
    const node = graph.nodes.find((n) => n.id === idOfTarget(e.at, lane))
    return node ? [node] : []
  })
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
      <span className={cn('flex items-center gap-1 font-medium', flagLooks[flag.kind].tone)}>
        <FlagIcon size={12} aria-hidden />
        {flagLooks[flag.kind].label}
      </span>
      <span className="text-text-2">{flag.reason}</span>
      {places.length > 0 && <span className="text-small text-text-3">Rests on</span>}
      {places.slice(0, MOST_PLACES).map((node) => (
        <button key={node.id} type="button" data-tip={summaryOf(node) || undefined} onClick={() => onPin(node.id)} className="rounded border px-1 text-small text-text-2 hover:bg-hover">
          {nameOf(node)} {node.seq}
        </button>
      ))}
      {places.length > MOST_PLACES && <span className="text-small text-text-3">and {compact(places.length - MOST_PLACES)} more</span>}
    </div>
  )
}

function Texts({ node }: { node: FlowNode }) {
  return (
    <>
      <p className="break-words whitespace-pre-wrap text-text-2">{node.preview || 'No text.'}</p>
      {node.result && <p className="font-mono text-code break-words whitespace-pre-wrap text-fail">{node.result}</p>}
    </>
  )
}

/** Arguments and result; the graph carries their beginnings only, the rest is read now. */
function CallTexts({ owner, node }: { owner: string; node: FlowNode }) {
  const { data } = useQuery(queries.call(owner, node.seq))
  const args = data?.args.preview ?? node.preview
  const result = data ? data.error || data.result.preview : node.result
  return (
    <>
      <Part title="Arguments" text={pretty(args)} language={args.startsWith('{') ? 'json' : ''} />
      {node.status === 'pending' ? <p className="text-running">No result yet.</p> : <Part title="Result" text={result ?? ''} language="" />}
    </>
  )
}

function Part({ title, text, language }: { title: string; text: string; language: string }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h4 className="text-small text-text-3">{title}</h4>
      {text === '' ? <p className="text-text-3">Empty.</p> : <Code text={text.slice(0, 4000)} language={language} />}
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Session, Text, ToolCall } from '@/api/types'
import { Code } from '@/components/Code'
import { CopyButton } from '@/components/CopyButton'
import { Masked } from '@/components/Masked'
import { Revealable } from '@/components/Revealable'
import { Sourced } from '@/components/Sourced'
import { Button } from '@/components/ui/button'
import { argOf, pretty } from '@/lib/args'
import { absolute, bytes, clockTime, duration, plural } from '@/lib/format'
import { isClipped, isEmpty } from '@/lib/text'
import { diffsOfArgs, isPatch, patchDiffs } from '@/lib/diff'
import { liveQueries } from '../queries'
import { DiffView } from '@/components/DiffView'

/** A call in full: why it failed first, then what was asked and what came back. */
export function CallBody({ session, call: short }: { session: Session; call: ToolCall }) {
  const [wanted, setWanted] = useState(false)
  const clipped = isClipped(short.args) || isClipped(short.result)
  // A diff needs the whole arguments, so a clipped edit is read at once.
  const edits = short.category === 'file' && isClipped(short.args)
  const full = useQuery({ ...liveQueries.call(session.id, short.seq), enabled: clipped && (wanted || edits) })
  const call = full.data ?? short
  const readAll = full.data ? undefined : () => setWanted(true)
  return (
    <div className="flex flex-col gap-3 px-4 pt-1 pb-3 pl-9">
      <Facts call={call} />
      {call.error && call.error !== call.result.preview && (
        <div className="rounded-md bg-fail-soft px-3 py-2 font-mono text-code whitespace-pre-wrap break-words text-fail">
          <Revealable text={call.error} of={{ session: session.id, text: 'error', call: call.seq }}>
            {(text) => <Masked text={text} />}
          </Revealable>
        </div>
      )}
      <Arguments session={session} call={call} readAll={isClipped(short.args) ? readAll : undefined} busy={full.isFetching} />
      <Result session={session} call={call} readAll={isClipped(short.result) ? readAll : undefined} busy={full.isFetching} />
      {full.error && <p className="text-fail">The log could not be read: {full.error.message}</p>}
    </div>
  )
}

function Facts({ call }: { call: ToolCall }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-small text-text-3">
      <Sourced at={call.ref}>Call {call.seq}</Sourced>
      {call.roundTrip >= 0 && <span>round trip {call.roundTrip + 1}</span>}
      {call.startedAt > 0 && <span data-tip={absolute(call.startedAt)}>{clockTime(call.startedAt)}</span>}
      {call.waitMs ? <span>waited {duration(call.waitMs)} for a human</span> : null}
      {call.exitCode !== undefined && <span>exit {call.exitCode}</span>}
      {(call.linesAdded ?? 0) + (call.linesRemoved ?? 0) > 0 && (
        <span>
          +{call.linesAdded ?? 0} −{call.linesRemoved ?? 0} lines
        </span>
      )}
      {call.background && <span>goes on in the background</span>}
      {call.child && (
        <Link to="/live" search={{ session: call.child }} className="text-accent hover:underline">
          Open the sub-agent
        </Link>
      )}
      {call.key && <CopyButton text={call.key} what="the call’s id" />}
    </div>
  )
}

interface PartProps {
  session: Session
  call: ToolCall
  readAll: (() => void) | undefined
  busy: boolean
}

function Arguments({ session, call, readAll, busy }: PartProps) {
  if (isEmpty(call.args)) return <p className="text-text-3">No arguments.</p>
  return (
    <Part title="Arguments" text={call.args} readAll={readAll} busy={busy}>
      <Revealable text={call.args.preview} of={{ session: session.id, text: 'arguments', call: call.seq }}>
        {(text) => <ArgumentsText category={call.category} text={text} />}
      </Revealable>
    </Part>
  )
}

function ArgumentsText({ category, text }: { category: ToolCall['category']; text: string }) {
  const diffs = diffsOfArgs(text)
  const command = category === 'shell' ? (argOf(text, 'command') ?? argOf(text, 'cmd')) : undefined
  if (diffs.length > 0) return <DiffView files={diffs} />
  return command === undefined ? <Code text={pretty(text)} language={text.startsWith('{') ? 'json' : ''} /> : <Code wrap text={command} language="bash" />
}

function Result({ session, call, readAll, busy }: PartProps) {
  if (call.status === 'pending') return <p className="text-running">No result yet.</p>
  if (call.status === 'lost') return <p className="text-text-3">The turn ended and no result was ever written.</p>
  if (isEmpty(call.result)) return <p className="text-text-3">The result is empty.</p>
  return (
    <Part title="Result" text={call.result} readAll={readAll} busy={busy}>
      <Revealable text={call.result.preview} of={{ session: session.id, text: 'result', call: call.seq }}>
        {(text) => <ResultText text={text} />}
      </Revealable>
    </Part>
  )
}

function ResultText({ text }: { text: string }) {
  if (isPatch(text)) return <DiffView files={patchDiffs(text)} />
  const laidOut = pretty(text)
  return <Code wrap text={laidOut} language={laidOut === text ? '' : 'json'} />
}

function Part({ title, text, readAll, busy, children }: { title: string; text: Text; readAll: (() => void) | undefined; busy: boolean; children: React.ReactNode }) {
  const size = text.bytes ?? text.preview.length
  const lines = text.preview.split('\n').length
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="flex items-center gap-2 text-small text-text-3">
        {title}
        <Sourced at={text.ref}>{readAll ? bytes(size) : `${plural(lines, 'line')}, ${bytes(size)}`}</Sourced>
      </h3>
      {children}
      {readAll && (
        <Button variant="link" size="inline" className="text-small" disabled={busy} onClick={readAll}>
          {busy ? 'Reading the log…' : `Show all ${bytes(size)}`}
        </Button>
      )}
    </section>
  )
}

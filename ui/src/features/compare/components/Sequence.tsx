import { Link } from '@tanstack/react-router'
import { ArrowRight, Check, Equal, Minus, Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { Comparison, Step, StepCall } from '@/api/types'
import { categories } from '@/components/categories'
import { Button } from '@/components/ui/button'
import { summarizeArgs } from '@/lib/args'
import { cn } from '@/lib/cn'
import { duration, measured, plural } from '@/lib/format'
import { sequenceRows } from '../model'

const looks: Record<Step['change'], { icon: typeof Equal; word: string; tone: string; row: string }> = {
  same: { icon: Equal, word: 'the same', tone: 'text-text-3', row: '' },
  changed: { icon: ArrowRight, word: 'other arguments', tone: 'text-warn', row: 'bg-warn-soft' },
  added: { icon: Plus, word: 'only in B', tone: 'text-ok', row: '' },
  dropped: { icon: Minus, word: 'only in A', tone: 'text-fail', row: '' },
}

const AT_FIRST = 200

/** The calls of two turns side by side, in order; each leads to where it stands in Live. */
export function Sequence({ comparison }: { comparison: Comparison }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState(false)
  const rows = sequenceRows(comparison.sequence)
  const shown = all ? rows : rows.slice(0, AT_FIRST)
  return (
    <div className="overflow-hidden rounded-md border bg-panel">
      <ol aria-label="Calls of A and B">
        {shown.map((row) =>
          row.kind === 'step' ? (
            <StepRow key={row.key} step={row.step} comparison={comparison} />
          ) : open.has(row.key) ? (
            row.steps.map((step, i) => <StepRow key={`${row.key}-${i}`} step={step} comparison={comparison} />)
          ) : (
            <li key={row.key} className="border-b last:border-0">
              <Button variant="ghost" className="w-full rounded-none text-small" onClick={() => setOpen(new Set([...open, row.key]))}>
                <Equal size={13} aria-hidden /> {plural(row.steps.length, 'call')} the same in both
              </Button>
            </li>
          ),
        )}
      </ol>
      {shown.length < rows.length && (
        <Button variant="link" className="w-full border-t" onClick={() => setAll(true)}>
          Show all {plural(rows.length, 'row')}
        </Button>
      )}
    </div>
  )
}

function StepRow({ step, comparison }: { step: Step; comparison: Comparison }) {
  const look = looks[step.change]
  const link = (side: 'a' | 'b') => ({ session: comparison[side].sessions[0]!.id, turn: (comparison[side].turn ?? 0) + 1 })
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_28px_minmax(0,1fr)] border-b last:border-0 max-sm:grid-cols-[24px_minmax(0,1fr)]">
      <Cell call={step.a} to={link('a')} side="A" className={step.change === 'dropped' ? 'bg-fail-soft' : look.row} />
      <span className={cn('flex items-center justify-center max-sm:order-first max-sm:row-span-2', look.tone)} data-tip={look.word}>
        <look.icon size={14} aria-hidden />
        <span className="sr-only">{look.word}</span>
      </span>
      <Cell call={step.b} to={link('b')} side="B" className={step.change === 'added' ? 'bg-ok-soft' : look.row} />
    </li>
  )
}

interface CellProps {
  call: StepCall | undefined
  to: { session: string; turn: number }
  side: string
  className: string
}

function Cell({ call, to, side, className }: CellProps) {
  if (!call) return <span className="bg-page max-sm:hidden" />
  const look = categories[call.category]
  const bad = call.status !== 'ok'
  return (
    <Link
      to="/live"
      search={{ ...to, tab: 'calls', call: call.seq }}
      aria-label={`${side}: ${call.tool} ${summarizeArgs(call.args)}, ${call.status}`}
      className={cn('flex min-w-0 items-center gap-2 px-2.5 py-1 hover:bg-hover max-sm:col-start-2', className)}
    >
      <look.icon size={13} aria-hidden className={cn('shrink-0', look.text)} />
      <span className="shrink-0">{call.tool}</span>
      <span className="min-w-0 flex-1 truncate font-mono text-code text-text-2" data-tip={summarizeArgs(call.args)}>{summarizeArgs(call.args)}</span>
      <span className="shrink-0 text-small tabular-nums text-text-3">{measured(call.durationMs, duration)}</span>
      <span className={cn('flex w-4 shrink-0', bad ? 'text-fail' : 'text-ok')} data-tip={call.status}>
        {bad ? <X size={14} aria-hidden /> : <Check size={14} aria-hidden />}
      </span>
    </Link>
  )
}

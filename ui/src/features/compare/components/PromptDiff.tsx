import { useMemo, useState } from 'react'
import type { Comparison } from '@/api/types'
import { Segmented } from '@/components/Segmented'
import { cn } from '@/lib/cn'
import { bytes } from '@/lib/format'
import { isOther, promptPieces } from '../prompts'
import { Block } from './Block'
import { SideMark } from './SideMark'

const text = 'max-h-80 overflow-auto px-3 py-2 whitespace-pre-wrap break-words'

/** What was asked on each side: marked in one text, or side by side if the two have little in common. */
export function PromptDiff({ prompts }: { prompts: NonNullable<Comparison['prompts']> }) {
  const { a, b } = prompts
  const pieces = useMemo(() => promptPieces(a.text, b.text), [a.text, b.text])
  const [chosen, setChosen] = useState<'marks' | 'beside'>()
  const view = chosen ?? (isOther(pieces) ? 'beside' : 'marks')
  const clipped = [a.clipped && `A’s is cut, of ${bytes(a.bytes)}`, b.clipped && `B’s is cut, of ${bytes(b.bytes)}`].filter(Boolean).join('; ')
  const same = a.text === b.text
  return (
    <Block
      title={same ? 'Both were asked the same' : 'What was asked?'}
      note={clipped || undefined}
      actions={
        !same && (
          <Segmented
            label="How prompts are shown"
            value={view}
            options={[{ value: 'marks', label: 'Marked' }, { value: 'beside', label: 'Side by side' }]}
            onChange={setChosen}
          />
        )
      }
    >
      {view === 'beside' && !same ? (
        <div className="grid gap-3 sm:grid-cols-2">
          <Prompt side="a" value={a.text} />
          <Prompt side="b" value={b.text} />
        </div>
      ) : (
        <div tabIndex={0} role="region" aria-label="Prompts with marks" className={cn('rounded-md border bg-panel', text)}>
          {pieces.map((p, i) =>
            p.kind === 'same' ? (
              <span key={i}>{p.text}</span>
            ) : p.kind === 'added' ? (
              <ins key={i} className="bg-ok-soft text-ok">{p.text}</ins>
            ) : (
              <del key={i} className="bg-fail-soft text-fail">{p.text}</del>
            ),
          )}
          {a.text === '' && b.text === '' && <span className="text-text-3">No prompt text in the log.</span>}
        </div>
      )}
    </Block>
  )
}

function Prompt({ side, value }: { side: 'a' | 'b'; value: string }) {
  return (
    <div className="flex rounded-md border bg-panel">
      <span className="pt-2.5 pl-3"><SideMark side={side} small /></span>
      <div tabIndex={0} role="region" aria-label={`Prompt of ${side.toUpperCase()}`} className={cn('min-w-0 flex-1', text)}>
        {value || <span className="text-text-3">No prompt text in the log.</span>}
      </div>
    </div>
  )
}

import type { Ribbon } from '@/api/flow'
import { useCell } from '@/hooks/use-cell'
import type { Cell } from '@/lib/cell'
import type { Scale } from '../ribbon'
import { wordsOf } from '../ribbon-words'
import type { Sight } from '../sight'

/** The part of the session that the map shows. */
export function Brush({ scale, sight, offset }: { scale: Scale; sight: Sight; offset: number }) {
  const range = useCell(sight)
  if (!range) return null
  const from = scale.starts[range[0] - offset] ?? 0
  const to = scale.ends[range[1] - offset] ?? scale.width
  return <div aria-hidden data-brush className="pointer-events-none absolute inset-y-0 rounded-[3px] border border-accent bg-accent/10" style={{ left: from, width: Math.max(to - from, 4) }} />
}

/** The selected turn. */
export function Selected({ scale, at }: { scale: Scale; at: number }) {
  const start = scale.starts[at] ?? 0
  const width = Math.max((scale.ends[at] ?? 0) - start, 2)
  return <div aria-hidden className="pointer-events-none absolute bottom-0 h-[5px] rounded-full bg-accent" style={{ left: Math.min(start, scale.width - 6), width: Math.max(width - 1, 6) }} />
}

/** The turn under the pointer, with what there is to say about it. */
export function Hover({ ribbon, scale, hover }: { ribbon: Ribbon; scale: Scale; hover: Cell<number | undefined> }) {
  const over = useCell(hover)
  if (over === undefined) return null
  const at = Math.min(over, ribbon.turns.length - 1)
  const start = scale.starts[at] ?? 0
  const x = (start + (scale.ends[at] ?? start)) / 2
  const side = x > scale.width / 2 ? { right: Math.max(0, scale.width - x - 24) } : { left: Math.max(0, x - 24) }
  const [head, ...rest] = wordsOf(ribbon, at)
  return (
    <>
      <div aria-hidden className="pointer-events-none absolute inset-y-0 bg-text/10" style={{ left: start, width: Math.max((scale.ends[at] ?? 0) - start, 2) }} />
      <div aria-hidden className="pointer-events-none absolute top-full z-40 mt-1 rounded-md bg-raised px-2 py-1 text-small whitespace-nowrap text-text shadow-float" style={side}>
        <p className="font-medium">{head}</p>
        {rest.map((line) => (
          <p key={line} className="text-text-2">
            {line}
          </p>
        ))}
      </div>
    </>
  )
}

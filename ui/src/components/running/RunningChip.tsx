import { Hand } from 'lucide-react'
import type { RunningTool } from '@/api/types'
import { categories } from '@/components/categories'
import { summarizeArgs } from '@/lib/args'
import { cn } from '@/lib/cn'
import { elapsed } from '@/lib/format'

interface Props {
  tool: RunningTool
  now: number
  more?: number // further calls, for which there is no room
  onOpen?: (() => void) | undefined // absent: there is nothing to open, or the place around it is what is clicked
}

/**
 * A call that runs: its tool, what it was asked, and for how long. It breathes; one that waits for a human stands still
 * and says so. The clock has its room before it needs it, so that nothing beside it moves.
 */
export function RunningChip({ tool, now, more = 0, onOpen }: Props) {
  const summary = summarizeArgs(tool.args)
  const look = categories[tool.category] ?? categories.other
  const Icon = tool.waiting ? Hand : look.icon
  const looks = cn(
    'inline-flex max-w-72 min-w-0 items-center gap-1.5 rounded-md border px-1.5 text-small whitespace-nowrap',
    onOpen ? 'h-6' : 'h-5', // in a list's row, no higher than a line
    tool.waiting ? 'border-dashed border-warn bg-warn-soft text-warn' : 'bg-panel text-text',
  )
  const content = (
    <>
      <Icon size={13} aria-hidden className={cn('shrink-0', !tool.waiting && ['animate-breathe', look.text])} />
      <span className="max-w-32 shrink-0 truncate">{tool.tool}</span>
      {tool.waiting && <span className="shrink-0 font-medium">waiting for you</span>}
      {onOpen && summary && <span className="min-w-0 truncate text-text-3 max-md:hidden">{summary}</span>}
      <span className="min-w-[4.5ch] shrink-0 text-right tabular-nums text-text-2">{elapsed(now - tool.startedAt)}</span>
      {more > 0 && <span className="shrink-0 text-text-3">+{more}</span>}
    </>
  )
  if (!onOpen) return <span className={looks}>{content}</span>
  return (
    <button type="button" onClick={onOpen} disabled={tool.call === undefined} data-tip={tipOf(tool, summary)} className={cn(looks, 'enabled:hover:bg-hover')}>
      {content}
    </button>
  )
}

function tipOf(tool: RunningTool, summary: string): string {
  const seen = tool.call === undefined ? 'Told by the agent’s hook; the log does not show it yet.' : ''
  const asks = tool.waiting ? 'The agent asks whether it may run.' : ''
  return [summary, asks, seen].filter(Boolean).join('\n')
}

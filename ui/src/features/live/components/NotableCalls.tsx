import type { ToolCall, Turn } from '@/api/types'
import { categories } from '@/components/categories'
import { Button } from '@/components/ui/button'
import { summarizeArgs } from '@/lib/args'
import { cn } from '@/lib/cn'
import { duration, plural } from '@/lib/format'
import { outcome } from '../calls'
import { isBroken, runningCalls } from '../model'
import { useSetSearch } from '../use-live'
import { Section } from './Section'

const MOST = 5

/** The calls that matter at a glance: those that run now, else those that broke. */
export function NotableCalls({ turn, running }: { turn: Turn; running: boolean }) {
  const set = useSetSearch()
  const all = turn.toolCalls ?? []
  const broken = all.filter(isBroken)
  const calls = running ? [...runningCalls(turn), ...broken.slice(-2)] : broken
  if (all.length === 0) return null
  const open = (call: ToolCall) => set({ turn: turn.index + 1, tab: 'calls', call: call.seq }, true)
  return (
    <Section
      title={plural(all.length, 'call')}
      note={broken.length > 0 ? `${broken.length} without success` : running ? '' : 'all went well'}
      actions={
        <Button variant="link" size="inline" onClick={() => set({ tab: 'calls' }, true)}>
          Show all
        </Button>
      }
    >
      {calls.length > 0 && (
        <ul className="-mx-2">
          {calls.slice(0, MOST).map((call) => (
            <li key={call.seq}>
              <button type="button" onClick={() => open(call)} className="flex h-7 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover">
                <CallIcon call={call} />
                <span className="shrink-0">{call.tool}</span>
                <span className="min-w-0 flex-1 truncate text-text-2">{summarizeArgs(call.args.preview)}</span>
                {call.durationMs.quality !== 'unknown' && <span className="shrink-0 text-text-3">{duration(call.durationMs.value)}</span>}
                <span className={cn('w-20 shrink-0 text-right', call.status === 'pending' ? 'text-running' : 'text-fail')}>{outcome(call)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

export function CallIcon({ call }: { call: ToolCall }) {
  const look = categories[call.category] ?? categories.other
  return (
    <span role="img" aria-label={look.label} data-tip={look.label} className={cn('flex shrink-0', look.text)}>
      <look.icon size={14} aria-hidden className={call.status === 'pending' ? 'animate-breathe' : undefined} />
    </span>
  )
}

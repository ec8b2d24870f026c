import { useState } from 'react'
import type { AutoAttach } from '@/api/types'
import { Button } from '@/components/ui/button'
import { PopoverClose } from '@/components/ui/popover'
import { plural } from '@/lib/format'
import { useStartAutoAttach, useStopAutoAttach } from '../mutations'

const intervals = [1000, 2000, 5000, 15_000]

function stateWords(auto: AutoAttach): string {
  const candidates = auto.candidates
  if (!auto.enabled) return 'Off: attach by hand.'
  if (auto.state === 'attached') return 'On: attached to a live session.'
  if (candidates.length > 1) return `Waiting: ${plural(candidates.length, 'session')} are live. Choose one:`
  return 'Waiting for a session to come alive.'
}

/** Attaches by itself as soon as a session is live. */
export function AutoAttachForm({ auto, onShow }: { auto: AutoAttach; onShow: (id: string) => void }) {
  const [intervalMs, setIntervalMs] = useState(auto.intervalMs || 2000)
  const [onMultiple, setOnMultiple] = useState(auto.onMultiple || 'wait')
  const [fromStart, setFromStart] = useState(auto.fromStart)
  const start = useStartAutoAttach()
  const stop = useStopAutoAttach()
  const choices = intervals.includes(intervalMs) ? intervals : [intervalMs, ...intervals]
  return (
    <form
      className="mt-3 flex flex-col gap-2 border-t pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate({ intervalMs, onMultiple, fromStart })
      }}
    >
      <div className="flex items-center justify-between">
        <h2 className="font-semibold">Auto-attach</h2>
        {auto.enabled && (
          <Button variant="outline" size="tiny" onClick={() => stop.mutate()}>
            Stop
          </Button>
        )}
      </div>
      <p className="text-text-2">{stateWords(auto)}</p>
      {auto.enabled && auto.state === 'waiting' && (
        <ul>
          {auto.candidates.map((id) => (
            <li key={id}>
              <PopoverClose asChild>
                <button type="button" className="max-w-full truncate font-mono text-code text-accent hover:underline" onClick={() => onShow(id)}>
                  {id}
                </button>
              </PopoverClose>
            </li>
          ))}
        </ul>
      )}
      <label className="flex items-center justify-between gap-2">
        Look every
        <select className={field} value={intervalMs} onChange={(e) => setIntervalMs(Number(e.target.value))}>
          {choices.map((ms) => (
            <option key={ms} value={ms}>
              {ms / 1000} s
            </option>
          ))}
        </select>
      </label>
      <label className="flex items-center justify-between gap-2">
        When several are live
        <select className={field} value={onMultiple} onChange={(e) => setOnMultiple(e.target.value === 'newest' ? 'newest' : 'wait')}>
          <option value="wait">wait for a choice</option>
          <option value="newest">take the newest</option>
        </select>
      </label>
      <label className="flex items-center gap-2">
        <input type="checkbox" className="size-4 accent-accent-fill" checked={fromStart} onChange={(e) => setFromStart(e.target.checked)} />
        Show the full session
      </label>
      <Button type="submit" variant={auto.enabled ? 'outline' : 'primary'}>
        {auto.enabled ? 'Apply' : 'Start'}
      </Button>
    </form>
  )
}

const field = 'h-7 rounded-md border bg-panel px-1.5'

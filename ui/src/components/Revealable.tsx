import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { api } from '@/api/client'
import type { RevealRequest } from '@/api/types'
import { isMasked, rulesOf } from '@/lib/masks'
import { plural } from '@/lib/format'
import { AskContext } from './Masked'
import { Button } from './ui/button'
import { Dialog, DialogContent, DialogHeader } from './ui/dialog'

interface Props {
  text: string
  of: RevealRequest | (() => Promise<RevealRequest>) // which text of the log it is
  children: (text: string) => ReactNode
}

/** A text whose secrets can be shown after a question. They stay in this component, and are gone when it is. */
export function Revealable(props: Props) {
  return isMasked(props.text) ? <Asking key={props.text} {...props} /> : props.children(props.text)
}

function Asking({ text, of, children }: Props) {
  const [asks, setAsks] = useState(false)
  const { data, error, isPending, mutate, reset } = useMutation({
    gcTime: 0, // no cache keeps it
    mutationFn: async () => api.reveal(typeof of === 'function' ? await of() : of),
    onSuccess: () => setAsks(false),
  })
  const shown = data?.text
  if (shown !== undefined) {
    return (
      <>
        <p role="status" className="flex items-center gap-2 text-small text-warn">
          <Eye size={13} aria-hidden /> Secrets are shown
          <Button variant="link" size="inline" onClick={reset}>
            Hide them
          </Button>
        </p>
        {children(shown)}
      </>
    )
  }
  return (
    <>
      <AskContext value={() => setAsks(true)}>{children(text)}</AskContext>
      <Dialog open={asks} onOpenChange={setAsks}>
        <DialogContent>
          <DialogHeader title="Show this text with its secrets?" />
          <Question text={text} />
          {error && <p className="px-4 text-fail">{error.message}</p>}
          <div className="flex justify-end gap-2 p-4">
            <Button variant="outline" autoFocus onClick={() => setAsks(false)}>
              Keep masked
            </Button>
            <Button variant="primary" disabled={isPending} onClick={() => mutate()}>
              {isPending ? 'Reading the log…' : 'Show secrets'}
            </Button>
          </div>
        </DialogContent>
      </Dialog>
    </>
  )
}

function Question({ text }: { text: string }) {
  const rules = rulesOf(text)
  const count = [...rules.values()].reduce((sum, n) => sum + n, 0)
  return (
    <div className="px-4 pt-3 text-text-2">
      <p>
        {plural(count, 'secret')} in it: {[...rules].map(([rule, n]) => (n > 1 ? `${rule} (${n}×)` : rule)).join(', ')}.
      </p>
      <p className="mt-1.5">The whole text will stand here as the log has it, until you hide it or leave. Whoever sees your screen, or a recording of it, sees it too.</p>
    </div>
  )
}

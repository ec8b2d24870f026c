import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import { lazy, Suspense, useState } from 'react'
import { api } from '@/api/client'
import type { RevealRequest } from '@/api/types'
import { isMasked } from '@/lib/masks'
import { AskContext } from './Masked'
import { Button } from './ui/button'

// The question is rare, and what a dialog is made of is a twentieth of the first view.
const RevealDialog = lazy(() => import('./RevealDialog').then((m) => ({ default: m.RevealDialog })))

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
      <Suspense>{asks && <RevealDialog text={text} error={error} pending={isPending} onShow={() => mutate()} onClose={() => setAsks(false)} />}</Suspense>
    </>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Tag, X } from 'lucide-react'
import { useId, useState } from 'react'
import { api } from '@/api/client'
import { keys } from '@/api/keys'
import { queries } from '@/api/queries'
import type { Session } from '@/api/types'
import { Button } from '@/components/ui/button'
import { toast } from '@/lib/toast'
import { compareQueries } from '../queries'

/** A session's labels, to be added and taken off. They are Turnwatch's own: the agent's files are not touched. */
export function Labels({ id }: { id: string }) {
  const { data: session } = useQuery(queries.session(id))
  const change = useChange(id)
  const [adding, setAdding] = useState(false)
  if (!session) return null
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-1.5 border-t px-3 py-1 text-small">
      <Tag size={12} aria-hidden className="text-text-3" />
      {session.labels.map((label) => (
        <span key={label} className="flex items-center rounded bg-raised pl-1.5">
          {label}
          <button type="button" aria-label={`Remove the label ${label}`} data-tip="Remove" className="flex size-5 items-center justify-center text-text-3 hover:text-text" onClick={() => change.mutate({ label, on: false })}>
            <X size={11} aria-hidden />
          </button>
        </span>
      ))}
      {adding ? (
        <LabelInput
          taken={session.labels}
          onDone={(label) => {
            setAdding(false)
            if (label) change.mutate({ label, on: true })
          }}
        />
      ) : (
        <Button size="tiny" onClick={() => setAdding(true)}>
          <Plus size={12} aria-hidden /> Label
        </Button>
      )}
    </div>
  )
}

function LabelInput({ taken, onDone }: { taken: string[]; onDone: (label: string) => void }) {
  const { data: known = [] } = useQuery(compareQueries.labels())
  const [text, setText] = useState('')
  const list = useId()
  return (
    <>
      <input
        autoFocus
        aria-label="New label"
        list={list}
        maxLength={64}
        value={text}
        placeholder="before, after, prompt v2…"
        onChange={(event) => setText(event.target.value.replace(',', ''))}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onDone(text.trim())
          if (event.key === 'Escape') onDone('')
        }}
        onBlur={() => onDone(text.trim())}
        className="h-5 w-40 rounded border border-line-strong bg-page px-1.5 outline-none focus-visible:border-accent placeholder:text-text-3"
      />
      <datalist id={list}>
        {known.filter((l) => !taken.includes(l.label)).map((l) => (
          <option key={l.label} value={l.label} />
        ))}
      </datalist>
    </>
  )
}

function useChange(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ label, on }: { label: string; on: boolean }) => (on ? api.addLabel(id, label) : api.removeLabel(id, label)),
    // All else that shows labels is told by the daemon, as every other window is.
    onSuccess: ({ labels }) => client.setQueryData<Session>(keys.session(id), (session) => session && { ...session, labels }),
    onError: (error) => toast.error('The label was not changed', { description: error.message }),
  })
}

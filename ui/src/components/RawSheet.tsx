import { useQuery } from '@tanstack/react-query'
import type { Session } from '@/api/types'
import { queries } from '@/api/queries'
import { Code } from '@/components/Code'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Revealable } from '@/components/Revealable'
import { Skeleton } from '@/components/Skeleton'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { pretty } from '@/lib/args'
import { basename, bytes, whole } from '@/lib/format'

interface Props {
  session: Session
  at: string // as rawOf writes it
  onClose: () => void
}

/** A record as it stands in the agent's log, secrets masked. */
export function RawSheet({ session, at, onClose }: Props) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent side="right"><Record session={session} at={at} /></DialogContent>
    </Dialog>
  )
}

function Record({ session, at }: { session: Session; at: string }) {
  const [offset = 0, length = 0, known = 0] = at.split('-').map(Number)
  const { data, error, refetch } = useQuery(queries.raw(session.id, offset, length))
  const file = basename(data?.path ?? session.path)
  const number = known || (data?.line ?? 0)
  const line = number > 0 ? `:${whole(number)}` : ''
  return (
    <>
      <DialogHeader title={`${file}${line}`} description={`Byte ${whole(offset)}, ${bytes(length)}; secrets are masked`} />
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-2">
        {data ? (
          <Revealable text={data.text} of={{ session: session.id, text: 'record', offset, length }}>
            {(text) => <Code text={pretty(text)} language="json" className="[&_pre]:max-h-none [&_pre]:break-words [&_pre]:whitespace-pre-wrap" />}
          </Revealable>
        ) : error ? (
          <ErrorNotice error={error} what={session.gone ? 'The log is no longer there' : 'The record could not be read'} onRetry={() => void refetch()} />
        ) : (
          <Skeleton label="Reading the log" />
        )}
      </div>
    </>
  )
}

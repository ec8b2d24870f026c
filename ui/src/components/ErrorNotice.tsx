import { CircleAlert } from 'lucide-react'
import { ApiError } from '@/api/client'
import { useCopy } from '@/hooks/use-copy'
import { Button } from './ui/button'
import { Notice } from './Notice'

function advice(error: unknown): string {
  if (!(error instanceof ApiError)) return 'This is a fault of the page. Copying the details helps whoever looks into it.'
  if (error.code === 'unreachable') return 'Start it again with “turnwatch”; the page then goes on by itself.'
  if (error.code === 'not_found') return 'It may have been removed, or the link is from another machine.'
  if (error.code === 'unavailable') return 'It may work in a moment.'
  return 'Try again; if it stays, copy the details.'
}

export function errorDetails(error: unknown): string {
  if (error instanceof ApiError) {
    return JSON.stringify({ status: error.status, code: error.code, message: error.message, details: error.details, page: location.href }, null, 2)
  }
  return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error)
}

/** What went wrong, why, and the ways out. */
export function ErrorNotice({ error, what, onRetry }: { error: unknown; what: string; onRetry?: () => void }) {
  const copy = useCopy()
  return (
    <Notice
      icon={CircleAlert}
      tone="fail"
      title={what}
      actions={
        <>
          {onRetry && (
            <Button variant="outline" onClick={onRetry}>
              Try again
            </Button>
          )}
          <Button onClick={() => copy(errorDetails(error), 'the details')}>Copy details</Button>
        </>
      }
    >
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <p className="mt-1">{advice(error)}</p>
    </Notice>
  )
}

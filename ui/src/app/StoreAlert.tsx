import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { queries } from '@/api/queries'

/** Says across the page why nothing new is shown: the daemon cannot keep what it reads. */
export function StoreAlert() {
  const { data } = useQuery(queries.health())
  const warning = data?.warnings?.find((w) => w.code === 'store')
  if (!warning) return null
  return (
    <div role="alert" className="flex shrink-0 items-start gap-2 border-b bg-fail-soft px-3 py-1.5 text-fail">
      <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
      <p className="min-w-0 break-words">
        <span className="font-semibold">Nothing new is shown.</span> {warning.message[0]?.toUpperCase()}
        {warning.message.slice(1)}
      </p>
    </div>
  )
}

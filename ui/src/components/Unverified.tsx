import { useQuery } from '@tanstack/react-query'
import { queries } from '@/api/queries'

/** A quiet tag beside an agent whose numbers were never compared with what its own program does. */
export function Unverified({ agent }: { agent: string }) {
  const { data } = useQuery(queries.health())
  const why = data?.unverified?.find((u) => u.agent === agent)?.why
  return why ? (
    <span className="shrink-0 rounded border px-1 text-small text-text-3" data-tip={`Not checked against the real program.\n${why}`}>
      unverified
    </span>
  ) : null
}

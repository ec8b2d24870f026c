import { useDelayed } from '@/hooks/use-delayed'

/** Grey lines in place of rows that are on their way; nothing at all for the first 120 ms. */
export function Skeleton({ rows = 6, label }: { rows?: number; label: string }) {
  const visible = useDelayed(true)
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-5 p-4">
      {visible &&
        Array.from({ length: rows }, (_, i) => (
          <div key={i} className="flex animate-breathe flex-col gap-2">
            <div className="h-3 rounded bg-raised" style={{ width: `${82 - ((i * 17) % 40)}%` }} />
            <div className="h-3 w-2/5 rounded bg-raised" />
          </div>
        ))}
    </div>
  )
}

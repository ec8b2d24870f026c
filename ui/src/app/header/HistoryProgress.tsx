import { useQuery } from '@tanstack/react-query'
import { queries } from '@/api/queries'
import { bytes, duration, whole } from '@/lib/format'

/** How far reading the history has come; nothing once it is in. */
export function HistoryProgress() {
  const { data } = useQuery(queries.health())
  const progress = data?.progress
  if (!progress || progress.ready || data.ready || progress.streamsTotal === 0) return null
  const share = progress.bytesTotal > 0 ? progress.bytes / progress.bytesTotal : progress.streams / progress.streamsTotal
  const left = progress.etaMs.quality === 'unknown' ? '' : `, ${duration(Math.max(progress.etaMs.value, 1000))} left`
  const words = `${whole(progress.streams)} of ${whole(progress.streamsTotal)}, newest first${left}`
  return (
    <div className="flex min-w-0 items-center gap-2 pl-3 text-small text-text-2" data-tip={`Reading the history: ${words}\n${bytes(progress.bytes)} of ${bytes(progress.bytesTotal)}`}>
      <div role="progressbar" aria-label="Reading the history" aria-valuetext={words} aria-valuenow={Math.round(share * 100)} className="h-1 w-16 shrink-0 overflow-hidden rounded-full bg-line">
        <div className="h-full bg-accent transition-[width]" style={{ width: `${share * 100}%` }} />
      </div>
      <span className="truncate max-lg:hidden">{words}</span>
    </div>
  )
}

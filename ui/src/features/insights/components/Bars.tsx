import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'

export interface BarRow {
  key: string
  icon?: ReactNode
  label: string
  share: number | undefined // of the longest, 0…1; undefined = unknown
  text: string
  note: string
  fill: string
  tip?: string
  onClick?: () => void
  clickLabel?: string
}

/** Lying bars, each with its name before and its number after it, so that no legend is needed. */
export function Bars({ rows, label }: { rows: BarRow[]; label: string }) {
  return (
    <ul aria-label={label} className="flex flex-col px-3 pt-1 pb-3 tabular-nums">
      {rows.map((row) => (
        <li key={row.key} data-tip={row.tip} className="grid min-h-7 grid-cols-[minmax(0,12rem)_minmax(0,1fr)_max-content] items-center gap-x-3 max-sm:grid-cols-[minmax(0,1fr)_max-content] max-sm:gap-y-0.5 max-sm:pb-2">
          <span className="flex min-w-0 items-center gap-1.5">
            {row.icon}
            {row.onClick ? (
              <button type="button" aria-label={row.clickLabel} className="truncate decoration-line-strong underline-offset-2 hover:underline" onClick={row.onClick}>
                {row.label}
              </button>
            ) : (
              <span className="truncate">{row.label}</span>
            )}
          </span>
          <span aria-hidden className={cn('h-3 min-w-0 max-sm:col-span-2 max-sm:row-start-2 max-sm:h-2', row.share === undefined && 'rounded-xs border border-dashed border-line-strong')}>
            {row.share !== undefined && <span className={cn('block h-full rounded-xs', row.fill)} style={{ width: `max(2px, ${row.share * 100}%)` }} />}
          </span>
          <span className="flex items-baseline justify-end whitespace-nowrap">
            <span className="w-16 text-right">{row.text}</span>
            <span className="w-26 text-right text-small text-text-3 max-sm:w-22">{row.note}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

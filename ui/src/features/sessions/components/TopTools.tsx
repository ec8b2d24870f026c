import type { ToolCount } from '@/api/types'
import { categories } from '@/components/categories'
import { cn } from '@/lib/cn'
import { compact, plural } from '@/lib/format'

function tip(t: ToolCount): string {
  const failed = t.failed > 0 ? `, ${plural(t.failed, 'failure')}` : ''
  return `${t.tool}: ${plural(t.calls, 'call')}${failed}`
}

/** The three tools that were called most. */
export function TopTools({ tools, count = 3 }: { tools: ToolCount[]; count?: number }) {
  return (
    <ul aria-label="Top tools" className="flex items-center gap-3 max-xl:hidden">
      {tools.slice(0, count).map((t) => {
        const look = categories[t.category] ?? categories.other
        return (
          <li key={t.tool} className="flex items-center gap-1 text-text-2" data-tip={tip(t)}>
            <look.icon size={13} aria-hidden className={cn(look.text)} />
            <span className="max-w-24 truncate">{t.tool}</span>
            <span className="text-text-3">{compact(t.calls)}</span>
          </li>
        )
      })}
    </ul>
  )
}

import { ArrowLeftRight, ClipboardCopy, History } from 'lucide-react'
import type { Comparison } from '@/api/types'
import { Segmented } from '@/components/Segmented'
import { Button } from '@/components/ui/button'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@/components/ui/dropdown-menu'
import { useNavigate } from '@tanstack/react-router'
import { useCopy } from '@/hooks/use-copy'
import { usePrefs } from '@/lib/prefs'
import { toMarkdown } from '../markdown'
import type { Mode } from '../search'
import { modeOf, swapped, validateCompareSearch } from '../search'
import { useCompareSearch, useSetSearch } from '../use-compare'

export function Toolbar({ comparison }: { comparison: Comparison | undefined }) {
  const search = useCompareSearch()
  const set = useSetSearch()
  const copy = useCopy()
  const mode = modeOf(search)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h1 className="sr-only">Compare</h1>
      <Segmented<Mode>
        label="What to compare"
        value={mode}
        options={[{ value: 'sessions', label: 'Sessions' }, { value: 'turns', label: 'Turns' }, { value: 'groups', label: 'Groups of sessions' }]}
        onChange={(by) => set({ by })}
      />
      <div className="ml-auto flex items-center gap-1">
        <Recent />
        <Button onClick={() => set(swapped(search))} data-tip="A becomes B" aria-label="Swap A and B">
          <ArrowLeftRight size={14} aria-hidden /> <span className="max-sm:hidden">Swap</span>
        </Button>
        <Button disabled={!comparison} aria-label="Copy as Markdown" data-tip="Copy as Markdown" onClick={() => comparison && copy(toMarkdown(comparison, location.href), 'the comparison as Markdown')}>
          <ClipboardCopy size={14} aria-hidden /> <span className="max-sm:hidden">Copy as Markdown</span>
        </Button>
      </div>
    </div>
  )
}

function Recent() {
  const { pairs } = usePrefs()
  const navigate = useNavigate()
  if (pairs.length === 0) return null
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button aria-label="Recent pairs">
          <History size={14} aria-hidden /> <span className="max-sm:hidden">Recent pairs</span>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="max-w-[min(32rem,calc(100vw-16px))]">
        {pairs.map((pair) => (
          <DropdownMenuItem key={pair.name} onSelect={() => void navigate({ to: '/compare', search: validateCompareSearch(pair.search) })}>
            <span className="truncate">{pair.name}</span>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

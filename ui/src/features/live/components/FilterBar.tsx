import { useQuery } from '@tanstack/react-query'
import { ChevronDown, CircleX, Search, X } from 'lucide-react'
import { useCallback } from 'react'
import type { FlagKind, Session } from '@/api/types'
import { queries } from '@/api/queries'
import { categories, categoryNames } from '@/components/categories'
import { flagLooks } from '@/components/flags'
import { Button, IconButton } from '@/components/ui/button'
import { DropdownMenu, DropdownMenuContent, DropdownMenuRadioGroup, DropdownMenuRadioItem, DropdownMenuTrigger } from '@/components/ui/dropdown-menu'
import { useTyped } from '@/hooks/use-typed'
import { cn } from '@/lib/cn'
import { compact } from '@/lib/format'
import { hasFilter, noFilter } from '../search'
import { useLiveSearch, useSetSearch } from '../use-live'

export function FilterBar({ session, found, total }: { session: Session; found: number; total: number }) {
  const search = useLiveSearch()
  const set = useSetSearch()
  const { data: docs = [] } = useQuery(queries.flagDocs())
  const filtering = hasFilter(search)
  const kinds = docs.length > 0 ? docs.map((d) => d.kind) : (Object.keys(flagLooks) as FlagKind[])
  const tools = session.topTools ?? []
  return (
    <div role="search" aria-label="Filter turns" className="flex min-h-9 shrink-0 flex-wrap items-center gap-1 border-b px-2 py-1">
      <TextFilter />
      <Choice name="Tool" value={search.tool} options={tools.map((t) => ({ value: t.tool, label: t.tool }))} onChange={(tool) => set({ tool })} />
      <Choice
        name="Category"
        value={search.category}
        options={categoryNames.map((c) => ({ value: c, label: categories[c].label }))}
        onChange={(category) => set({ category })}
      />
      <Choice name="Flag" value={search.flag} options={kinds.map((k) => ({ value: k, label: flagLooks[k]?.label ?? k }))} onChange={(flag) => set({ flag })} />
      <Button
        size="default"
        aria-pressed={search.errors ?? false}
        data-tip="Only turns with an error"
        className={cn('px-1.5', search.errors && 'bg-fail-soft text-fail')}
        onClick={() => set({ errors: search.errors ? undefined : true })}
      >
        <CircleX size={14} aria-hidden />
        Errors
      </Button>
      {filtering && (
        <>
          <span className="ml-auto pl-1 text-small whitespace-nowrap text-text-3 max-lg:sr-only" role="status">
            {compact(found)} of {compact(total)}
          </span>
          <IconButton label="Clear the filter" size="tinyIcon" onClick={() => set(noFilter)}>
            <X size={14} />
          </IconButton>
        </>
      )}
    </div>
  )
}

function TextFilter() {
  const { text = '' } = useLiveSearch()
  const set = useSetSearch()
  const [typed, setTyped] = useTyped(text, useCallback((text) => set({ text: text || undefined }), [set]))
  return (
    <div className="flex h-7 min-w-0 flex-1 items-center gap-1.5 rounded-md px-1.5 max-sm:basis-full focus-within:bg-hover">
      <Search size={14} aria-hidden className="shrink-0 text-text-3" />
      <input
        id="turn-filter"
        aria-label="Filter by text of prompts, replies and arguments"
        placeholder="Filter turns"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          if (typed === '') event.currentTarget.blur()
          else setTyped('')
        }}
        className="h-full w-full min-w-0 bg-transparent outline-none placeholder:text-text-3"
      />
    </div>
  )
}

interface ChoiceProps<T extends string> {
  name: string
  value: T | undefined
  options: { value: T; label: string }[]
  onChange: (value: T | undefined) => void
}

function Choice<T extends string>({ name, value, options, onChange }: ChoiceProps<T>) {
  const chosen = options.find((o) => o.value === value)?.label ?? value
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button aria-label={`${name}: ${chosen ?? 'any'}`} className={cn('max-w-32 gap-1 px-1.5', value && 'bg-selected text-text')}>
          <span className="truncate">{chosen ?? name}</span>
          <ChevronDown size={12} aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuRadioGroup value={value ?? ''} onValueChange={(v) => onChange(v === '' ? undefined : (v as T))}>
          <DropdownMenuRadioItem value="">Any {name.toLowerCase()}</DropdownMenuRadioItem>
          {options.map((o) => (
            <DropdownMenuRadioItem key={o.value} value={o.value}>
              {o.label}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

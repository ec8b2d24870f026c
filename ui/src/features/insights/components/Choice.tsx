import { ChevronDown } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { DropdownMenu, DropdownMenuContent, DropdownMenuRadioGroup, DropdownMenuRadioItem, DropdownMenuTrigger } from '@/components/ui/dropdown-menu'
import { cn } from '@/lib/cn'

interface Props {
  name: string
  any?: string // the words for no choice; absent = there always is one
  value: string | undefined
  options: { value: string; label: string }[]
  onChange: (value: string | undefined) => void
}

/** A menu of which at most one is chosen. */
export function Choice({ name, any, value, options, onChange }: Props) {
  const chosen = options.find((o) => o.value === value)?.label ?? value
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline" aria-label={`${name}: ${chosen ?? any ?? ''}`} className={cn('max-w-52 gap-1', any && value && 'border-accent bg-selected')}>
          <span className="truncate">{chosen ?? name}</span>
          <ChevronDown size={12} aria-hidden className="text-text-3" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuRadioGroup value={value ?? ''} onValueChange={(v) => onChange(v || undefined)}>
          {any && <DropdownMenuRadioItem value="">{any}</DropdownMenuRadioItem>}
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

import { ArrowDown } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { plural } from '@/lib/format'

/** The way back to the newest message, for whoever scrolled up; says so when something came in meanwhile. */
export function NewMessages({ unseen, onClick }: { unseen: number; onClick: () => void }) {
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 bottom-4 z-10 flex justify-center">
      <Button variant={unseen > 0 ? 'primary' : 'outline'} className={cn('pointer-events-auto rounded-full px-3 shadow-float', unseen === 0 && 'border-transparent')} onClick={onClick}>
        {unseen > 0 ? plural(unseen, 'new message') : 'Latest'}
        <ArrowDown size={14} aria-hidden />
      </Button>
    </div>
  )
}

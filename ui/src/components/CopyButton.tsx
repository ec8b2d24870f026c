import { Copy } from 'lucide-react'
import { useCopy } from '@/hooks/use-copy'
import { IconButton } from './ui/button'

export function CopyButton({ text, what, className }: { text: string; what: string; className?: string }) {
  const copy = useCopy()
  return (
    <IconButton label={`Copy ${what}`} size="tinyIcon" className={className} onClick={() => copy(text, what)}>
      <Copy size={13} />
    </IconButton>
  )
}

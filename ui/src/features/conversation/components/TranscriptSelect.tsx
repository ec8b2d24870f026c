import { Bot, ChevronDown, FileX, MessagesSquare, Scissors } from 'lucide-react'
import type { TranscriptInfo } from '@/api/types'
import { Button } from '@/components/ui/button'
import { DropdownMenu, DropdownMenuContent, DropdownMenuLabel, DropdownMenuRadioGroup, DropdownMenuRadioItem, DropdownMenuTrigger } from '@/components/ui/dropdown-menu'
import { compact, plural } from '@/lib/format'

const kinds = {
  main: { label: 'Conversation', icon: MessagesSquare },
  subagent: { label: 'Sub-agents', icon: Bot },
  compaction: { label: 'Compactions', icon: Scissors },
} as const

interface Props {
  transcripts: TranscriptInfo[]
  chosen: TranscriptInfo
  onChoose: (id: string) => void
}

const nameOf = (t: TranscriptInfo) => (t.type === 'main' ? 'Main conversation' : t.name || t.id)

/** Which of the session's conversations is shown: its own, a sub-agent's, or that of a compaction. */
export function TranscriptSelect({ transcripts, chosen, onChoose }: Props) {
  const { icon: Icon } = kinds[chosen.type]
  const title = (
    <>
      <Icon size={14} aria-hidden className="text-text-3" />
      <span className="truncate">{nameOf(chosen)}</span>
      <span className="text-text-3 tabular-nums">{plural(chosen.total, 'message')}</span>
    </>
  )
  if (transcripts.length < 2) return <p className="flex h-7 min-w-0 items-center gap-1.5 px-2">{title}</p>
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline" className="max-w-96 min-w-0 shrink">
          <span className="sr-only">Transcript: </span>
          {title}
          <ChevronDown size={12} aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="w-80 max-w-[calc(100vw-16px)]">
        <DropdownMenuRadioGroup value={chosen.id} onValueChange={onChoose}>
          {(['main', 'subagent', 'compaction'] as const).map((type) => (
            <Group key={type} type={type} all={transcripts.filter((t) => t.type === type)} />
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function Group({ type, all }: { type: TranscriptInfo['type']; all: TranscriptInfo[] }) {
  if (all.length === 0) return null
  return (
    <>
      {type !== 'main' && <DropdownMenuLabel>{kinds[type].label}</DropdownMenuLabel>}
      {all.map((t) => (
        <DropdownMenuRadioItem key={t.id} value={t.id}>
          <span className="min-w-0 truncate">{nameOf(t)}</span>
          {t.subagent_type && <span className="min-w-0 shrink truncate text-text-3">{t.subagent_type}</span>}
          <span className="ml-auto shrink-0 pl-2 text-text-3 tabular-nums">{t.has_transcript ? compact(t.total) : <FileX size={13} role="img" aria-label="its log is gone" />}</span>
        </DropdownMenuRadioItem>
      ))}
    </>
  )
}

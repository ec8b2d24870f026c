import { FileWarning, UnfoldVertical } from 'lucide-react'
import type { ConversationWindow } from '@/api/conversation'
import type { TranscriptInfo } from '@/api/types'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { plural } from '@/lib/format'
import type { Woven } from '../model'
import { useConversationSearch, useSetSearch } from '../use-conversation'
import type { Find } from '../use-find'
import { CopyMenu } from './CopyMenu'
import { FindBox } from './FindBox'
import { TranscriptSelect } from './TranscriptSelect'

interface Props {
  transcripts: TranscriptInfo[]
  chosen: TranscriptInfo
  onChoose: (id: string) => void
  title: string
  w: ConversationWindow | undefined
  messages: Woven[]
  find: Find
}

export function Toolbar({ transcripts, chosen, onChoose, title, w, messages, find }: Props) {
  const { whole } = useConversationSearch()
  const set = useSetSearch()
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b bg-panel px-2 py-1.5">
      <div className="flex min-w-0 flex-1 items-center gap-2">
        <TranscriptSelect transcripts={transcripts} chosen={chosen} onChoose={onChoose} />
        {w && w.skipped > 0 && (
          <span data-tip="Lines of the log that are not what the agent usually writes. They are left out." className="flex items-center gap-1 text-small whitespace-nowrap text-warn">
            <FileWarning size={13} aria-hidden /> {plural(w.skipped, 'unreadable line')}
          </span>
        )}
      </div>
      {w && messages.length > 0 && (
        <>
          <FindBox find={find} />
          <IconButton
            label={whole ? 'Clip long texts' : 'Show long texts in full'}
            aria-pressed={whole ?? false}
            className={cn(whole && 'bg-selected text-text')}
            onClick={() => set({ whole: whole ? undefined : true })}
          >
            <UnfoldVertical size={15} />
          </IconButton>
          <CopyMenu transcript={chosen} title={title} messages={messages} w={w} />
        </>
      )}
    </div>
  )
}

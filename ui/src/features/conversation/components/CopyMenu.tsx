import { Copy } from 'lucide-react'
import { api } from '@/api/client'
import type { ConversationWindow } from '@/api/conversation'
import { withNewer, windowAfter } from '@/api/conversation'
import type { TranscriptInfo } from '@/api/types'
import { IconButton } from '@/components/ui/button'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '@/components/ui/dropdown-menu'
import { useCopy } from '@/hooks/use-copy'
import { plural } from '@/lib/format'
import { toast } from '@/lib/toast'
import { conversationMarkdown } from '../markdown'
import type { Woven } from '../model'
import { weave } from '../model'

interface Props {
  transcript: TranscriptInfo
  title: string
  messages: Woven[]
  w: ConversationWindow
}

const PAGE = 200

async function wholeConversation(session: string): Promise<Woven[]> {
  let w = windowAfter(await api.conversation(session, { limit: PAGE, after: 0 }), 0)
  while (w.hasNewer) {
    const after = w.lastLine
    w = withNewer(w, await api.conversation(session, { limit: PAGE, after }), after)
  }
  return weave(w.messages)
}

export function CopyMenu({ transcript, title, messages, w }: Props) {
  const copy = useCopy()
  const partly = w.hasOlder || w.hasNewer
  const shown = () => copy(conversationMarkdown(title, messages), `${plural(messages.length, 'message')} as Markdown`)
  async function all(): Promise<void> {
    try {
      const whole = await wholeConversation(transcript.session)
      copy(conversationMarkdown(title, whole), `${plural(whole.length, 'message')} as Markdown`)
    } catch (error) {
      toast.error('The conversation could not be read', { description: error instanceof Error ? error.message : String(error) })
    }
  }
  if (!partly) {
    return (
      <IconButton label="Copy the conversation as Markdown" onClick={shown}>
        <Copy size={15} />
      </IconButton>
    )
  }
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <IconButton label="Copy as Markdown">
          <Copy size={15} />
        </IconButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={shown}>Copy the {plural(messages.length, 'loaded message')}</DropdownMenuItem>
        <DropdownMenuItem onSelect={() => void all()}>Copy the whole conversation</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

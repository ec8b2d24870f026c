import { createContext, use } from 'react'
import type { Session, TranscriptInfo } from '@/api/types'

/** What every row of the list needs. */
export interface ConversationContext {
  session: Session // whose log it is
  transcripts: TranscriptInfo[]
  children: Map<string, TranscriptInfo> // by the call that spawned them
  whole: boolean // long texts are shown in full
  isOpen: (part: string) => boolean
  toggle: (part: string) => void
  showTranscript: (id: string) => void
}

export const Context = createContext<ConversationContext | undefined>(undefined)

export function useConversation(): ConversationContext {
  const context = use(Context)
  if (!context) throw new Error('ConversationContext is missing')
  return context
}

import { useEffect, useRef } from 'react'
import { toast } from '@/lib/toast'
import { useSetSearch } from './use-conversation'

/** Says it when the log was written anew under the reader's eyes: what stood there is no longer what is shown. */
export function useRewritten(generation: number | undefined): void {
  const set = useSetSearch()
  const known = useRef(generation)
  useEffect(() => {
    if (known.current !== undefined && generation !== undefined && generation !== known.current) {
      set({ line: undefined, raw: undefined })
      toast.info('The agent wrote its log anew', { description: 'The conversation is shown as it stands there now.' })
    }
    known.current = generation
  }, [generation, set])
}

import { useCallback } from 'react'
import { toast } from '@/lib/toast'

/** Copies text and says so. */
export function useCopy(): (text: string, what: string) => void {
  return useCallback((text, what) => {
    navigator.clipboard.writeText(text).then(
      () => toast.success(`Copied ${what}`),
      () => toast.error('The browser did not allow copying', { description: 'Select the text and copy it by hand.' }),
    )
  }, [])
}

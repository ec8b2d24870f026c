import { Toaster } from 'sonner'
import { resolveTheme, usePrefs } from '@/lib/prefs'

export function Toasts() {
  return (
    <Toaster
      theme={resolveTheme(usePrefs().theme)}
      position="bottom-right"
      toastOptions={{ className: '!rounded-lg !border-line !bg-raised !text-text !shadow-float !text-[13px] !font-sans' }}
    />
  )
}

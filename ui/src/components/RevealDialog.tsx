import { plural } from '@/lib/format'
import { rulesOf } from '@/lib/masks'
import { Button } from './ui/button'
import { Dialog, DialogContent, DialogHeader } from './ui/dialog'

interface Props {
  text: string
  error: Error | null
  pending: boolean
  onShow: () => void
  onClose: () => void
}

/** Asks before secrets are shown. */
export function RevealDialog({ text, error, pending, onShow, onClose }: Props) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogHeader title="Show this text with its secrets?" />
        <Question text={text} />
        {error && <p className="px-4 text-fail">{error.message}</p>}
        <div className="flex justify-end gap-2 p-4">
          <Button variant="outline" autoFocus onClick={onClose}>
            Keep masked
          </Button>
          <Button variant="primary" disabled={pending} onClick={onShow}>
            {pending ? 'Reading the log…' : 'Show secrets'}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}

function Question({ text }: { text: string }) {
  const rules = rulesOf(text)
  const count = [...rules.values()].reduce((sum, n) => sum + n, 0)
  return (
    <div className="px-4 pt-3 text-text-2">
      <p>
        {plural(count, 'secret')} in it: {[...rules].map(([rule, n]) => (n > 1 ? `${rule} (${n}×)` : rule)).join(', ')}.
      </p>
      <p className="mt-1.5">The whole text will stand here as the log has it, until you hide it or leave. Whoever sees your screen, or a recording of it, sees it too.</p>
    </div>
  )
}

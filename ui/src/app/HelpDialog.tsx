import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { shortcuts } from '@/lib/keyboard'

const groups = ['Anywhere', 'Turns', 'Calls'] as const

export function HelpDialog({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader title="Keyboard" />
        <div className="overflow-y-auto p-4 pt-2">
          {groups.map((group) => (
            <section key={group}>
              <h3 className="mt-2 mb-1 text-small text-text-3">{group}</h3>
              <dl>
                {shortcuts
                  .filter((s) => s.group === group)
                  .map((s) => (
                    <div key={s.action} className="flex h-7 items-center gap-3">
                      <dt className="flex-1">{s.label}</dt>
                      <dd className="flex gap-1">
                        {s.show.map((key) => (
                          <kbd key={key} className="min-w-6 rounded border bg-raised px-1.5 text-center font-mono text-code text-text-2">
                            {key}
                          </kbd>
                        ))}
                      </dd>
                    </div>
                  ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogContent>
    </Dialog>
  )
}

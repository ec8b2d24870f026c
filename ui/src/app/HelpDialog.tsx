import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import type { ViewName } from '@/lib/keyboard'
import { labelIn, shortcuts } from '@/lib/keyboard'

const groups = ['Here', 'Anywhere'] as const

interface Props {
  view: ViewName | undefined
  name: string | undefined // of the view, as its tab says
  onOpenChange: (open: boolean) => void
}

/** What each key does in the view from which the help was asked for. */
export function HelpDialog({ view, name, onOpenChange }: Props) {
  const rows = shortcuts.flatMap((s) => {
    const label = labelIn(view, s)
    return label === undefined ? [] : [{ ...s, label }]
  })
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader title="Keyboard" />
        <div className="overflow-y-auto p-4 pt-2">
          {groups.filter((group) => rows.some((s) => s.group === group)).map((group) => (
            <section key={group}>
              <h3 className="mt-2 mb-1 text-small text-text-3">{group === 'Here' ? `In ${name ?? 'this view'}` : group}</h3>
              <dl>
                {rows
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

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronDown, Crosshair } from 'lucide-react'
import { queries } from '@/api/queries'
import type { Attachment } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import { cn } from '@/lib/cn'
import { useAttach, useDetach } from '../mutations'
import { titleOf } from '../model'
import { AutoAttachForm } from './AutoAttachForm'

interface Props {
  current: string | undefined
  onShow: (id: string) => void
}

/** The shared focus: every session is followed anyway; the attached one is what all open pages show by default. */
export function AttachControls({ current, onShow }: Props) {
  const { data: health } = useQuery(queries.health())
  const attached = health?.attachedSession ?? undefined
  const auto = health?.autoAttach
  const label = attached ? 'Attached' : auto?.enabled ? 'Auto' : 'Attach'
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button aria-label={`${label}: attach controls`} className={cn(attached && 'text-accent')}>
          <Crosshair size={15} />
          <span className="max-md:hidden">{label}</span>
          <ChevronDown size={13} className="max-sm:hidden" />
        </Button>
      </PopoverTrigger>
      <PopoverContent className="w-88" aria-label="Attach controls">
        <Focus current={current} attached={attached} attachment={health?.attachment} onShow={onShow} />
        {auto && <AutoAttachForm auto={auto} onShow={onShow} />}
      </PopoverContent>
    </Popover>
  )
}

interface FocusProps extends Props {
  attached: string | undefined
  attachment: Attachment | undefined
}

function Focus({ current, attached, attachment, onShow }: FocusProps) {
  const { data: session } = useQuery({ ...queries.session(current ?? ''), enabled: Boolean(current) })
  const { data: focus } = useQuery({ ...queries.session(attached ?? ''), enabled: Boolean(attached) && attached !== current })
  const { full } = useSearch({ strict: false })
  const partial = attached !== undefined && attached === current && attachment?.fromStart === false && !full
  const navigate = useNavigate()
  const attach = useAttach()
  const detach = useDetach()

  function attachFrom(fromStart: boolean): void {
    if (!session) return
    attach.mutate({ sessionId: session.id, fromStart })
    void navigate({ to: '/live', search: { session: session.id } })
  }
  return (
    <section className="flex flex-col gap-2">
      <p className="text-text-2">
        {attached === undefined && 'Attach to make a session the one that every open page shows first.'}
        {attached !== undefined && attached === current && 'Attached to the session shown here.'}
        {attached !== undefined && attached !== current && (
          <>
            Attached to{' '}
            <PopoverClose asChild>
              <button type="button" className="text-accent hover:underline" onClick={() => onShow(attached)}>
                {focus ? titleOf(focus) : attached}
              </button>
            </PopoverClose>
          </>
        )}
      </p>
      <div className="grid grid-cols-2 gap-2">
        <PopoverClose asChild>
          <Button variant="outline" disabled={!session} data-tip="Shows what happens from now on" onClick={() => attachFrom(false)}>
            Attach
          </Button>
        </PopoverClose>
        <PopoverClose asChild>
          <Button variant="outline" disabled={!session} data-tip="Shows all turns from the first one" onClick={() => attachFrom(true)}>
            Attach full session
          </Button>
        </PopoverClose>
        <PopoverClose asChild>
          <Button variant="outline" disabled={attached === undefined} onClick={() => detach.mutate()}>
            Detach
          </Button>
        </PopoverClose>
        <PopoverClose asChild>
          <Button variant="outline" disabled={!partial} onClick={() => void navigate({ to: '/live', search: (old) => ({ ...old, full: true }) })}>
            Show full session
          </Button>
        </PopoverClose>
      </div>
    </section>
  )
}

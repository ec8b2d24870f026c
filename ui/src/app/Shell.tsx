import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { queries } from '@/api/queries'
import { ErrorNotice } from '@/components/ErrorNotice'
import { Skeleton } from '@/components/Skeleton'
import { Tips } from '@/components/Tips'
import { HooksButton } from '@/features/hooks/components/HooksButton'
import { SessionHeader } from '@/features/sessions/components/SessionHeader'
import { useSubscription } from '@/hooks/use-connection'
import { useCurrentSession } from '@/hooks/use-current-session'
import { useShortcuts } from '@/hooks/use-shortcuts'
import { toggleTheme } from '@/lib/prefs'
import { AppHeader } from './header/AppHeader'
import { StoreAlert } from './StoreAlert'
import { NoSessions } from './NoSessions'
import { views } from './views'

// What is opened by hand comes when it is opened.
const SessionPicker = lazy(() => import('@/features/sessions/components/SessionPicker').then((m) => ({ default: m.SessionPicker })))
const HooksDialog = lazy(() => import('@/features/hooks/components/HooksDialog').then((m) => ({ default: m.HooksDialog })))
const HelpDialog = lazy(() => import('./HelpDialog').then((m) => ({ default: m.HelpDialog })))

/** The frame around every view: header, session header, view. */
export function Shell() {
  const current = useCurrentSession()
  const navigate = useNavigate()
  const path = useLocation({ select: (l) => l.pathname })
  const view = views.find((v) => v.path === path)
  const [picking, setPicking] = useState(false)
  const [helping, setHelping] = useState(false)
  const [hooking, setHooking] = useState(false)
  const { data: session } = useQuery({ ...queries.session(current.id ?? ''), enabled: Boolean(current.id) })
  useSubscription(current.id)
  useShortcuts({
    palette: () => setPicking((on) => !on),
    help: () => setHelping(true),
    theme: toggleTheme,
    view: (event) => void navigate({ to: views[Number(event.key) - 1]!.path, search: (old) => ({ session: old.session }) }),
  })

  // Another session in the same view; Insights is about all of them.
  const show = (session: string) => void navigate({ to: view && view.name !== 'insights' ? view.path : '/live', search: { session } })
  return (
    <div className="flex h-full flex-col">
      <AppHeader current={current.id} onPick={() => setPicking(true)} onHelp={() => setHelping(true)} onShow={show} />
      <StoreAlert />
      {current.id && !view?.many && (
        <SessionHeader id={current.id} onShow={show} actions={(cwd) => <HooksButton cwd={cwd} onOpen={() => setHooking(true)} />} />
      )}
      <main className="min-h-0 flex-1">
        {!current.id && <h1 className="sr-only">Turnwatch</h1>}
        {current.id ? <Outlet /> : <Nothing current={current} />}
        <Tips />
      </main>
      <Suspense>
        {picking && <SessionPicker onOpenChange={setPicking} current={current.id} onShow={show} onHelp={() => setHelping(true)} onHooks={() => setHooking(true)} />}
        {hooking && <HooksDialog cwd={session?.cwd || undefined} onOpenChange={setHooking} />}
        {helping && <HelpDialog view={view?.name} name={view?.label} onOpenChange={setHelping} />}
      </Suspense>
    </div>
  )
}

function Nothing({ current }: { current: ReturnType<typeof useCurrentSession> }) {
  if (current.pending) return <Skeleton label="Looking for sessions" />
  if (current.error) return <ErrorNotice error={current.error} what="Turnwatch cannot be reached" onRetry={current.retry} />
  return <NoSessions />
}

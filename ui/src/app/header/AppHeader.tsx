import { Link } from '@tanstack/react-router'
import { CircleHelp, Moon, Search, Sun } from 'lucide-react'
import { IconButton } from '@/components/ui/button'
import { AttachControls } from '@/features/sessions/components/AttachControls'
import { LiveSessions } from '@/features/sessions/components/LiveSessions'
import { resolveTheme, toggleTheme, usePrefs } from '@/lib/prefs'
import { views } from '../views'
import { ConnectionStatus } from './ConnectionStatus'
import { HistoryProgress } from './HistoryProgress'
import { Notices } from './Notices'

interface Props {
  current: string | undefined
  onPick: () => void
  onHelp: () => void
  onShow: (session: string) => void
}

export function AppHeader({ current, onPick, onHelp, onShow }: Props) {
  return (
    <header className="flex h-11 shrink-0 items-stretch gap-1 border-b bg-panel pr-2 pl-3">
      <Link to="/live" className="mr-2 flex items-center gap-2 font-semibold" aria-label="Turnwatch: follow what goes on" data-tip="Follow what goes on">
        <Logo />
        <span className="max-sm:hidden">Turnwatch</span>
      </Link>
      <nav aria-label="Views" className="flex">
        {views.map((view) => (
          <Link
            key={view.path}
            to={view.path}
            preload="intent"
            search={(old) => ({ session: old.session })}
            aria-label={view.label}
            data-tip={view.label}
            className="-mb-px flex items-center border-b-2 border-transparent px-2 text-text-2 hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
          >
            <view.icon size={16} aria-hidden className="md:hidden" />
            <span className="max-md:hidden">{view.label}</span>
          </Link>
        ))}
      </nav>
      <HistoryProgress />
      <div className="flex min-w-0 flex-1 items-center justify-end gap-1">
        <PickerButton onClick={onPick} />
        <LiveSessions onShow={onShow} />
        <ConnectionStatus />
        <Notices />
        <AttachControls current={current} onShow={onShow} />
        <ThemeButton />
        <IconButton label="Keyboard" className="max-sm:hidden" onClick={onHelp}>
          <CircleHelp size={16} />
        </IconButton>
      </div>
    </header>
  )
}

function Logo() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden className="text-accent">
      <circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" strokeWidth="2" />
      <path d="M9 9V2a7 7 0 0 1 7 7z" fill="currentColor" />
    </svg>
  )
}

function PickerButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="mr-1 flex h-7 min-w-0 items-center gap-2 rounded-md border bg-page px-2 text-text-3 hover:border-line-strong hover:text-text-2 md:w-56"
    >
      <Search size={14} aria-hidden />
      <span className="flex-1 truncate text-left max-md:sr-only">Sessions…</span>
      <kbd className="font-sans text-small max-md:hidden">⌘K</kbd>
    </button>
  )
}

function ThemeButton() {
  const theme = resolveTheme(usePrefs().theme)
  return (
    <IconButton label={theme === 'dark' ? 'Light theme' : 'Dark theme'} onClick={toggleTheme}>
      {theme === 'dark' ? <Sun size={16} /> : <Moon size={16} />}
    </IconButton>
  )
}

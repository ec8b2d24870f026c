import type { ReactNode } from 'react'

interface Look {
  label: string
  shape: ReactNode
}

// Our own shapes, not the vendors' marks: told apart at 14 px without colour.
const looks: Record<string, Look> = {
  claude: {
    label: 'Claude Code',
    shape: <path d="M8 1.5v13M1.5 8h13M3.4 3.4l9.2 9.2M12.6 3.4l-9.2 9.2" />,
  },
  codex: {
    label: 'Codex',
    shape: <path d="M8 1.5l5.6 3.25v6.5L8 14.5l-5.6-3.25v-6.5zM8 5.2v5.6M5.6 6.6l4.8 2.8M10.4 6.6L5.6 9.4" />,
  },
  copilot: {
    label: 'Copilot CLI',
    shape: <path d="M2 8.2c0-3 1.6-4.7 3.2-4.7S8 4.6 8 6.6c0-2 1.2-3.1 2.8-3.1S14 5.2 14 8.2v2.3c-1.6 1.5-3.8 2.3-6 2.3s-4.4-.8-6-2.3zM6 9v1.5M10 9v1.5" />,
  },
  grok: { label: 'Grok', shape: <path d="M8 2a6 6 0 1 0 6 6M3 13L14 2" /> },
  antigravity: { label: 'Antigravity', shape: <path d="M8 2l6 12H2zM8 8v6" /> },
  gemini: { label: 'Gemini CLI', shape: <path d="M5.5 3v10M10.5 3v10M3 2.5c3 1.3 7 1.3 10 0M3 13.5c3-1.3 7-1.3 10 0" /> },
  opencode: { label: 'OpenCode', shape: <path d="M5 2H2v12h3M11 2h3v12h-3M6 8h4" /> },
  muse: { label: 'Muse', shape: <path d="M2 13.5V3.5l6 6.5 6-6.5v10" /> },
}

export function agentLabel(agent: string): string {
  return looks[agent]?.label ?? agent
}

interface Props {
  agent: string
  size?: number
  named?: boolean // its name stands beside it
}

export function AgentGlyph({ agent, size = 16, named = false }: Props) {
  const look = looks[agent]
  return (
    <span {...(named ? { 'aria-hidden': true } : { role: 'img', 'aria-label': agentLabel(agent) })} data-tip={agentLabel(agent)} className="inline-flex shrink-0 text-text-2">
      <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" strokeLinejoin="round" aria-hidden>
        {look ? look.shape : <text x="8" y="12" textAnchor="middle" fontSize="11" fill="currentColor" stroke="none">{agent.slice(0, 1).toUpperCase()}</text>}
      </svg>
    </span>
  )
}

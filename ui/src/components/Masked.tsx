import { EyeOff } from 'lucide-react'
import { createContext, use } from 'react'
import { piecesOf } from '@/lib/masks'
import { printable } from '@/lib/printable'

/** Asks for the text around with its secrets; undefined where it cannot be had. */
export const AskContext = createContext<(() => void) | undefined>(undefined)

const look = 'mx-px inline-flex h-4 max-w-full items-center gap-1 rounded-sm border border-line-strong bg-raised px-1 align-text-bottom font-sans text-small leading-4 text-text-2'

/** Stands where the daemon masked a secret. Inside a Revealable a click asks for it. */
export function MaskChip({ rule }: { rule: string }) {
  const ask = use(AskContext)
  const content = (
    <>
      <EyeOff size={11} aria-hidden className="shrink-0" />
      <span className="truncate">{rule}</span>
    </>
  )
  if (!ask) {
    return (
      <span className={look} data-tip="A secret is masked here" aria-label={`masked: ${rule}`} role="img">
        {content}
      </span>
    )
  }
  return (
    <button type="button" className={`${look} hover:bg-hover hover:text-text`} data-tip="A secret is masked here. Show it…" aria-label={`Show what is masked: ${rule}`} onClick={ask}>
      {content}
    </button>
  )
}

/** A text of a log: its masks are chips, and what would hide or reorder characters is spelled out. */
export function Masked({ text }: { text: string }) {
  return piecesOf(printable(text)).map((p, i) => (p.rule ? <MaskChip key={i} rule={p.rule} /> : p.text))
}

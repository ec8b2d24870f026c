import { useEffect, useState } from 'react'
import type { Line } from '@/lib/highlight'
import { cn } from '@/lib/cn'
import { cutTokens } from '@/lib/masks'
import { printable } from '@/lib/printable'
import { CopyButton } from './CopyButton'
import { MaskChip, Masked } from './Masked'

interface Props {
  text: string
  language?: string
  wrap?: boolean
  className?: string
}

// Colouring more than this takes longer than a frame and helps nobody.
const MOST_COLOURED = 40_000

/** A block of code or output, coloured if the language is known, with a copy button. */
export function Code({ text: raw, language = '', wrap = false, className }: Props) {
  const text = printable(raw)
  const lines = useHighlight(text, language)
  return (
    <div className={cn('group/code relative my-1.5 rounded-md border bg-panel', className)}>
      <pre tabIndex={0} aria-label={language ? `Code, ${language}` : 'Code'} className={cn('max-h-[480px] overflow-auto px-3 py-2 font-mono text-code', wrap && 'break-words whitespace-pre-wrap')}>
        <code>
          {lines
            ? lines.map((line, i) => (
                <span key={i}>
                  {cutTokens(line).map((token, j) =>
                    token.rule ? (
                      <MaskChip key={j} rule={token.rule} />
                    ) : (
                      <span key={j} style={{ color: token.color }}>
                        {token.text}
                      </span>
                    ),
                  )}
                  {'\n'}
                </span>
              ))
            : <Masked text={text} />}
        </code>
      </pre>
      <CopyButton text={text} what="the code" className="absolute top-1 right-1 bg-panel opacity-0 group-hover/code:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100" />
    </div>
  )
}

function useHighlight(text: string, language: string): Line[] | undefined {
  const [done, setDone] = useState<{ text: string; lines: Line[] }>()
  useEffect(() => {
    if (!language || text.length > MOST_COLOURED) return
    let wanted = true
    void import('@/lib/highlight')
      .then((m) => m.highlight(text, language))
      .then((lines) => wanted && lines && setDone({ text, lines }))
      .catch(() => undefined) // plain text stays
    return () => {
      wanted = false
    }
  }, [text, language])
  return done?.text === text ? done.lines : undefined
}

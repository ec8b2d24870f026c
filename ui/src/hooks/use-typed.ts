import { useEffect, useState } from 'react'

const TYPING_MS = 180

/**
 * What is typed into a field whose text the URL holds: it is sent there when typing pauses. `send` has to stay the same
 * from one rendering to the next.
 */
export function useTyped(text: string, send: (text: string) => void): [typed: string, setTyped: (typed: string) => void] {
  const [typed, setTyped] = useState(text)
  const [sent, setSent] = useState(text)
  const [seen, setSeen] = useState(text)
  // The URL may change without typing: Esc, a link, Back. What is still being typed then no longer counts.
  if (seen !== text) {
    setSeen(text)
    if (text !== sent) {
      setTyped(text)
      setSent(text)
    }
  }
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === sent) return
    const timer = setTimeout(() => {
      setSent(wanted)
      send(wanted)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, sent, send])
  return [typed, setTyped]
}

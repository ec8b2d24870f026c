import { Component, lazy, Suspense } from 'react'
import type { ReactNode } from 'react'

const load = () => import('./MarkdownRendered').then((m) => ({ default: m.MarkdownRendered }))
const Rendered = lazy(load)

/** Fetches the renderer before it is needed. */
export function preloadMarkdown(): void {
  load().catch(() => undefined) // it is fetched again when it is needed
}

interface Props {
  text: string
}

/** Text as plain lines: what is shown until the renderer has come, and if it never does. */
function Plain({ text }: Props) {
  return <div className="max-w-[76ch] whitespace-pre-wrap break-words">{text}</div>
}

class Fallback extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }
  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}

/** Markdown of an agent or a user: raw HTML is dropped and only harmless links work. */
export function Markdown({ text }: Props) {
  const plain = <Plain text={text} />
  return (
    <Fallback fallback={plain}>
      <Suspense fallback={plain}>
        <Rendered text={text} />
      </Suspense>
    </Fallback>
  )
}

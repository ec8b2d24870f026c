import type { ReactNode } from 'react'
import { isValidElement, memo } from 'react'
import type { Components } from 'react-markdown'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { printable } from '@/lib/printable'
import { Code } from './Code'
import { MaskChip } from './Masked'
import { rehypeMasks } from './rehype-masks'

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(textOf).join('')
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : ''
}

const components: Components = {
  // rehypeMasks puts them where the daemon masked a secret; a code block finds them again in its text.
  mark: ({ children }) => <MaskChip rule={textOf(children).replace(/^«redacted: (.*)»$/, '$1')} />,
  // A fenced block: pre > code.language-x.
  pre: ({ children }) => {
    const child = isValidElement<{ className?: string; children?: ReactNode }>(children) ? children.props : undefined
    const language = /language-([\w+#-]+)/.exec(child?.className ?? '')?.[1] ?? ''
    return <Code text={textOf(child?.children ?? children).replace(/\n$/, '')} language={language} />
  },
  code: ({ children }) => <code className="rounded bg-raised px-1 py-px font-mono text-code break-words">{children}</code>,
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline underline-offset-2">
      {children}
    </a>
  ),
  // The page loads nothing from elsewhere: a picture becomes its address.
  img: ({ src, alt }) => <span className="text-text-3">[picture: {alt || String(src ?? '')}]</span>,
  h1: ({ children }) => <h4 className="mt-3 mb-1 text-[15px] font-semibold">{children}</h4>,
  h2: ({ children }) => <h4 className="mt-3 mb-1 text-[14px] font-semibold">{children}</h4>,
  h3: ({ children }) => <h4 className="mt-3 mb-1 font-semibold">{children}</h4>,
  ul: ({ children }) => <ul className="my-1.5 list-disc pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="my-1.5 list-decimal pl-5">
      {children}
    </ol>
  ),
  p: ({ children }) => <p className="my-1.5">{children}</p>,
  blockquote: ({ children }) => <blockquote className="my-1.5 border-l-2 border-line-strong pl-3 text-text-2">{children}</blockquote>,
  hr: () => <hr className="my-3" />,
  table: ({ children }) => (
    <div tabIndex={0} role="region" aria-label="Table" className="my-2 max-w-full overflow-x-auto">
      <table className="border-collapse">{children}</table>
    </div>
  ),
  th: ({ children }) => <th className="border px-2 py-1 text-left font-semibold">{children}</th>,
  td: ({ children }) => <td className="border px-2 py-1 align-top">{children}</td>,
  input: ({ checked }) => <span aria-hidden>{checked ? '☑ ' : '☐ '}</span>,
}

export const MarkdownRendered = memo(function MarkdownRendered({ text }: { text: string }) {
  return (
    <div className="max-w-[76ch] break-words [&>*:first-child]:mt-0 [&>*:last-child]:mb-0">
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeMasks]} components={components}>
        {printable(text)}
      </ReactMarkdown>
    </div>
  )
})

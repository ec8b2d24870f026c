import { useState } from 'react'
import { Masked } from '@/components/Masked'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { plural } from '@/lib/format'
import type { DiffLine, FileDiff } from '@/lib/diff'

const AT_FIRST = 200

const tones: Record<DiffLine['sign'], string> = {
  '+': 'bg-ok-soft text-text',
  '-': 'bg-fail-soft text-text',
  ' ': 'text-text-2',
  '@': 'text-text-3 italic',
}

/** Changes of files as lines with their signs. */
export function DiffView({ files }: { files: FileDiff[] }) {
  return files.map((file, i) => <File key={i} file={file} />)
}

function File({ file }: { file: FileDiff }) {
  const [all, setAll] = useState(false)
  const shown = all ? file.lines : file.lines.slice(0, AT_FIRST)
  const added = file.lines.filter((l) => l.sign === '+').length
  const removed = file.lines.filter((l) => l.sign === '-').length
  return (
    <figure className="my-1.5 overflow-hidden rounded-md border bg-panel">
      <figcaption className="flex items-center gap-2 border-b px-3 py-1 font-mono text-code">
        <span className="min-w-0 flex-1 truncate">{file.path || 'changes'}</span>
        <span className="text-ok">+{added}</span>
        <span className="text-fail">−{removed}</span>
      </figcaption>
      <div tabIndex={0} role="region" aria-label={`Changes of ${file.path}`} className="max-h-[480px] overflow-auto">
        <pre className="w-max min-w-full py-1 font-mono text-code">
          {shown.map((line, i) => (
            <div key={i} className={cn('flex px-3', tones[line.sign])}>
              <span className={cn('w-4 shrink-0 select-none', line.sign === '+' && 'text-ok', line.sign === '-' && 'text-fail')}>{line.sign === '@' ? '⋯' : line.sign}</span>
              <span className="whitespace-pre">
                <Masked text={line.text} />
              </span>
            </div>
          ))}
        </pre>
      </div>
      {shown.length < file.lines.length && (
        <Button variant="link" className="w-full border-t" onClick={() => setAll(true)}>
          Show all {plural(file.lines.length, 'line')}
        </Button>
      )}
    </figure>
  )
}

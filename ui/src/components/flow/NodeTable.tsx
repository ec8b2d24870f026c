import type { FlowNode } from '@/api/flow'
import { flagLooks } from '@/components/flags'
import { clockTime } from '@/lib/format'
import { cn } from '@/lib/cn'
import { nameOf, stateOf, summaryOf, tookOf } from './words'

interface Props {
  label: string
  nodes: FlowNode[]
  pinned: string | undefined
  onPin: (id: string | undefined) => void
}

/** The same turn as rows, in the order in which it happened. */
export function NodeTable({ label, nodes, pinned, onPin }: Props) {
  return (
    <div className="h-full overflow-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 z-10 bg-panel text-small text-text-3">
          <tr className="border-b [&_th]:px-2 [&_th]:py-1 [&_th]:font-normal">
            <th scope="col">Step</th>
            <th scope="col">Summary</th>
            <th scope="col">State</th>
            <th scope="col" className="text-right">
              Took
            </th>
            <th scope="col">Flags</th>
            <th scope="col">At</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.id} aria-selected={node.id === pinned} className={cn('border-b [&_td]:px-2 [&_td]:py-1 [&_td]:align-top', node.id === pinned && 'bg-selected')}>
              <th scope="row" className="px-2 py-1 align-top font-normal whitespace-nowrap" style={{ paddingLeft: 8 + (node.lane ? 16 : 0) + (node.kind === 'tool' || node.kind === 'hook' ? 12 : 0) }}>
                <button type="button" className="text-accent hover:underline" aria-pressed={node.id === pinned} onClick={() => onPin(node.id === pinned ? undefined : node.id)}>
                  {nameOf(node)}
                </button>
                {node.lane && <span className="ml-1 text-small text-text-3">sub-agent</span>}
              </th>
              <td className="max-w-[40ch] truncate text-text-2" title={summaryOf(node)}>
                {summaryOf(node)}
              </td>
              <td className={cn('whitespace-nowrap', node.status === 'fail' ? 'text-fail' : node.status === 'pending' ? 'text-running' : 'text-text-2')}>{stateOf(node) || 'ok'}</td>
              <td className="text-right whitespace-nowrap tabular-nums">{tookOf(node) || '—'}</td>
              <td className="whitespace-nowrap text-warn">{node.flags.map((f) => flagLooks[f].label).join(', ')}</td>
              <td className="whitespace-nowrap tabular-nums text-text-3">{clockTime(node.startedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

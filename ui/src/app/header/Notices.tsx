import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { Health } from '@/api/types'
import { queries } from '@/api/queries'
import { agentLabel } from '@/components/AgentGlyph'
import { Button } from '@/components/ui/button'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import { absolute, compact, plural } from '@/lib/format'

/** What the daemon wants known: warnings, and records that it could not read. Absent when there is nothing. */
export function Notices() {
  const { data } = useQuery(queries.health())
  const warnings = data?.warnings ?? []
  const unknown = data?.unknownRecords ?? []
  const records = unknown.reduce((sum, u) => sum + u.count, 0)
  if (warnings.length === 0 && records === 0) return null
  const parts = [warnings.length > 0 ? plural(warnings.length, 'warning') : '', records > 0 ? plural(records, 'unknown record') : '']
  const label = parts.filter(Boolean).join(', ')
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button aria-label={label} data-tip={label} className={warnings.length > 0 ? 'text-warn' : undefined}>
          <TriangleAlert size={15} />
          <span className="max-sm:hidden">{compact(warnings.length || records)}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent className="w-[26rem]" aria-label="Notices">
        {warnings.length > 0 && <Warnings warnings={warnings} />}
        {unknown.length > 0 && <Unknown unknown={unknown} />}
      </PopoverContent>
    </Popover>
  )
}

function Warnings({ warnings }: { warnings: NonNullable<Health['warnings']> }) {
  return (
    <section className="mb-3 last:mb-0">
      <h2 className="mb-1 font-semibold">Warnings</h2>
      <ul className="flex flex-col gap-2">
        {warnings.map((w) => (
          <li key={w.code + w.path} data-tip={`Last seen ${absolute(w.lastAt)}`}>
            <span>{w.message}</span>
            {w.count > 1 && <span className="text-text-3"> ({compact(w.count)}×)</span>}
            {w.path && <span className="block truncate font-mono text-code text-text-3">{w.path}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Unknown({ unknown }: { unknown: NonNullable<Health['unknownRecords']> }) {
  return (
    <section>
      <h2 className="font-semibold">Unknown records</h2>
      <p className="mb-1 text-small text-text-3">Counted and skipped; everything else of their sessions is shown.</p>
      <table className="w-full">
        <tbody>
          {unknown.map((u) => (
            <tr key={`${u.agent} ${u.version} ${u.type}`} className="border-t">
              <td className="py-1 pr-2 font-mono text-code">{u.type}</td>
              <td className="pr-2 text-text-2">
                {agentLabel(u.agent)} {u.version}
              </td>
              <td className="text-right">{compact(u.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

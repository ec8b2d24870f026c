import { Sparkles } from 'lucide-react'
import type { Marker } from '@/api/types'
import { Sourced } from '@/components/Sourced'
import { skillsBySource } from '../model'
import { Section } from './Section'

/** Skills that the turn used, by where they come from. */
export function Skills({ markers }: { markers: Marker[] }) {
  const groups = skillsBySource(markers)
  if (groups.length === 0) return null
  return (
    <Section title="Skills">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {groups.map(([source, skills]) => (
          <div key={source} className="contents">
            <dt className="text-text-3">{source}</dt>
            <dd className="flex flex-wrap gap-x-3">
              {skills.map((s) => (
                <Sourced key={s.seq} at={s.ref} className="inline-flex items-center gap-1">
                  <Sparkles size={13} aria-hidden className="text-text-3" />
                  {s.name || 'unnamed'}
                </Sourced>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

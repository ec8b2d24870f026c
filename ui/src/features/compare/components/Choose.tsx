import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { Notice } from '@/components/Notice'
import { usePrefs } from '@/lib/prefs'
import type { Mode } from '../search'
import { modeOf, validateCompareSearch } from '../search'

const words: Record<Mode, string> = {
  sessions: 'Choose a session for A and one for B. What differs is shown as B − A, coloured by whether B is better.',
  turns: 'Choose a turn for A and one for B, of one session or of two. Their calls are then laid side by side.',
  groups: 'Choose runs for A and for B: by repository, branch, label, agent, model or day, or one by one. It takes more than a few runs each to tell a difference from chance.',
}

/** What to do while a side is not chosen, and what was compared before. */
export function Choose({ mode }: { mode: Mode }) {
  const pairs = usePrefs().pairs.filter((p) => modeOf(validateCompareSearch(p.search)) === mode).slice(0, 5)
  return (
    <Notice icon={GitCompareArrows} title="Two sides make a comparison">
      <p>{words[mode]}</p>
      {pairs.length > 0 && (
        <div className="mt-5 text-left">
          <h3 className="mb-1 text-small text-text-3">Compared of late</h3>
          <ul className="divide-y rounded-md border bg-panel">
            {pairs.map((pair) => (
              <li key={pair.name}>
                <Link to="/compare" search={validateCompareSearch(pair.search)} className="block truncate px-3 py-1.5 text-text hover:bg-hover">
                  {pair.name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Notice>
  )
}

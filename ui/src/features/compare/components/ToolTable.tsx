import type { ToolDelta, ToolStat } from '@/api/types'
import { categories } from '@/components/categories'
import { cn } from '@/lib/cn'
import { share, signed } from '@/lib/delta'
import { duration, whole } from '@/lib/format'
import { toolRows } from '../model'
import { SideMark } from './SideMark'

const head = 'h-8 px-2 text-right font-normal whitespace-nowrap'

/** What each side called, how often it failed and how long it took. */
export function ToolTable({ tools }: { tools: ToolDelta[] }) {
  return (
    <table className="w-full min-w-[34rem] tabular-nums">
      <caption className="sr-only">Tools of A and B</caption>
      <thead className="text-small text-text-3">
        <tr className="border-b">
          <th scope="col" className={cn(head, 'text-left')}>Tool</th>
          <th scope="col" className={head}>Calls <Ab /></th>
          <th scope="col" className={head}>B − A</th>
          <th scope="col" className={head}>Failed <Ab /></th>
          <th scope="col" className={head}>Half take less than <Ab /></th>
        </tr>
      </thead>
      <tbody>
        {toolRows(tools).map((t) => (
          <Row key={t.tool} t={t} />
        ))}
      </tbody>
    </table>
  )
}

function Ab() {
  return (
    <span className="ml-1 inline-flex translate-y-0.5 gap-0.5">
      <SideMark side="a" small />
      <SideMark side="b" small />
    </span>
  )
}

const tones = { better: 'text-ok', worse: 'text-fail', same: '', neutral: '' }

function Row({ t }: { t: ToolDelta }) {
  const look = categories[t.category]
  return (
    <tr className="hover:bg-hover">
      <th scope="row" className="h-7 max-w-64 px-2 text-left font-normal">
        <span className="flex items-center gap-2">
          <look.icon size={13} aria-hidden className={cn('shrink-0', look.text)} />
          <span className="truncate" data-tip={`${t.tool}\n${look.label}`}>{t.tool}</span>
          {t.in !== 'both' && <span className="shrink-0 rounded bg-raised px-1.5 text-small text-text-2">only in {t.in.toUpperCase()}</span>}
        </span>
      </th>
      <Pair width="w-14" a={t.a && whole(t.a.calls)} b={t.b && whole(t.b.calls)} />
      <td className="px-2 text-right text-text-2">{t.calls === 0 ? 'same' : signed(t.calls, 'count')}</td>
      <Pair width="w-24" a={t.a && failed(t.a)} b={t.b && failed(t.b)} tone={tones[t.verdict]} word={t.verdict === 'better' || t.verdict === 'worse' ? `B is ${t.verdict}` : undefined} />
      <Pair width="w-20" a={t.a && median(t.a)} b={t.b && median(t.b)} />
    </tr>
  )
}

function failed(s: ToolStat): string {
  return s.failed === 0 ? '0' : `${whole(s.failed)} (${share(s.failRate)})`
}

function median(s: ToolStat): string {
  return s.p50Ms === null ? '—' : duration(s.p50Ms)
}

function Pair({ width, a, b, tone, word }: { width: string; a: string | undefined; b: string | undefined; tone?: string; word?: string }) {
  return (
    <td className="px-2 text-right whitespace-nowrap" data-tip={word}>
      <span className="text-text-2">{a ?? '—'}</span>
      <span aria-hidden className="px-1 text-text-3">→</span>
      <span className="sr-only"> in A, in B </span>
      <span className={cn('inline-block', width, tone)}>{b ?? '—'}</span>
      {word && <span className="sr-only">, {word}</span>}
    </td>
  )
}

import type { Comparison, MetricDelta } from '@/api/types'
import { share, valueText } from '@/lib/delta'
import { changeCounts, deltaText, percentText, sectionsOf, sideName, toolRows } from './model'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const row = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`

function metricRow(m: MetricDelta): string {
  const judged = m.verdict === 'better' || m.verdict === 'worse' ? ` (${m.verdict})` : ''
  const delta = m.delta === null ? `— (${m.reason})` : [deltaText(m), percentText(m)].filter(Boolean).join(', ') + judged
  return row(m.label, valueText(m.a, m.unit), valueText(m.b, m.unit), delta)
}

/** The comparison for an issue or a chat. */
export function toMarkdown(c: Comparison, url: string): string {
  const out = [`**${c.sentence}**`, '', `- A: ${sideName(c.a)}`, `- B: ${sideName(c.b)}`, '']
  out.push(row('', 'A', 'B', 'B − A'), '|---|--:|--:|--:|')
  for (const section of sectionsOf(c.metrics)) out.push(...section.metrics.map(metricRow))
  if (c.kind === 'groups') {
    const told = c.metrics.filter((m) => m.group?.told)
    if (told.length > 0) out.push('', ...told.map((m) => `- ${m.label}: ${m.group!.sentence}`))
  }
  if (c.tools.length > 0) {
    out.push('', row('Tool', 'A: calls', 'failed', 'B: calls', 'failed'), '|---|--:|--:|--:|--:|')
    for (const t of toolRows(c.tools)) out.push(row(t.tool, `${t.a?.calls ?? 0}`, share(t.a?.failRate), `${t.b?.calls ?? 0}`, share(t.b?.failRate)))
  }
  if (c.sequence.length > 0) {
    const n = changeCounts(c.sequence)
    out.push('', `Calls: ${n.same} the same, ${n.changed} with other arguments, ${n.added} only in B, ${n.dropped} only in A.`)
  }
  out.push('', url)
  return out.join('\n').replaceAll('\u00a0', ' ') + '\n'
}

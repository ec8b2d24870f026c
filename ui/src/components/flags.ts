import type { Flag, FlagKind } from '@/api/types'

/** Kinds of flags in words and colours: a failure is red, a warning amber, a fan-out worth knowing and nothing wrong. */
export const flagLooks: Record<FlagKind, { label: string; tone: string }> = {
  fail: { label: 'fail', tone: 'text-fail' },
  retry: { label: 'retry', tone: 'text-warn' },
  loop: { label: 'loop', tone: 'text-warn' },
  fanout: { label: 'fan-out', tone: 'text-text-2' },
  'compaction-loss': { label: 'compaction loss', tone: 'text-fail' },
  thrash: { label: 'thrash', tone: 'text-warn' },
}

/** How often each kind of flag was raised, in order of appearance, with the reasons. */
export function flagCounts(flags: Flag[]): { kind: Flag['kind']; count: number; reasons: string[] }[] {
  const kinds = new Map<Flag['kind'], string[]>()
  for (const flag of flags) kinds.set(flag.kind, [...(kinds.get(flag.kind) ?? []), flag.reason])
  return [...kinds].map(([kind, reasons]) => ({ kind, count: reasons.length, reasons }))
}

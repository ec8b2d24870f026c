import type { FlagKind } from '@/api/types'

/** Kinds of flags in words and colours: a failure is red, a warning amber, a fan-out worth knowing and nothing wrong. */
export const flagLooks: Record<FlagKind, { label: string; tone: string }> = {
  fail: { label: 'fail', tone: 'text-fail' },
  retry: { label: 'retry', tone: 'text-warn' },
  loop: { label: 'loop', tone: 'text-warn' },
  fanout: { label: 'fan-out', tone: 'text-text-2' },
  'compaction-loss': { label: 'compaction loss', tone: 'text-fail' },
  thrash: { label: 'thrash', tone: 'text-warn' },
}

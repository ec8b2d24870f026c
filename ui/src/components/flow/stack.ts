import type { CallItem, Item } from './tree'
import { isQuietHook } from './tree'

/** A loop drawn once: `times` rounds of `period` steps each, the first round standing for all. */
export interface Stack {
  first: number // index of its first item
  length: number // items in all its rounds
  period: number
  times: number
}

const LEAST_ROUNDS = 3
const LONGEST_PERIOD = 3

function callSignature(call: CallItem): string {
  return [call.node.label, call.node.preview, ...call.inner.map(callSignature)].join('\u0001')
}

/** What a step does, for comparison; undefined for what is never part of a loop. */
function signature(item: Item): string | undefined {
  if (item.node.kind !== 'assistant' || item.calls.length === 0) return undefined
  if (item.calls.some((c) => c.lanes.length > 0)) return undefined
  return item.calls.map(callSignature).join('\u0002')
}

/**
 * Finds what goes round in circles: at least three equal rounds of one to three steps. Only the first `settled` steps
 * but the last, which may still change, begin a stack; later ones may lengthen it. What comes while somebody looks thus never folds up what is on screen.
 */
export function stacksOf(items: Item[], settled = Infinity): Stack[] {
  const steps: { at: number; sign: string | undefined }[] = []
  items.forEach((item, at) => {
    if (!isQuietHook(item.node)) steps.push({ at, sign: signature(item) })
  })
  const signs = steps.map((s) => s.sign)
  const stacks: Stack[] = []
  for (let i = 0; i < steps.length; ) {
    const found = longest(signs, i)
    const last = found && steps[i + LEAST_ROUNDS * found.period - 1]
    if (!found || !last || last.at >= settled - 1) {
      i += 1
      continue
    }
    const end = i + found.times * found.period
    const first = steps[i]!.at
    stacks.push({ first, length: (steps[end]?.at ?? items.length) - first, period: found.period, times: found.times })
    i = end
  }
  return stacks
}

function longest(signs: (string | undefined)[], from: number): { period: number; times: number } | undefined {
  for (let period = 1; period <= LONGEST_PERIOD; period++) {
    const round = signs.slice(from, from + period)
    if (round.length < period || round.includes(undefined)) return undefined
    let times = 1
    while (round.every((sign, k) => signs[from + times * period + k] === sign)) times += 1
    if (times >= LEAST_ROUNDS) return { period, times }
  }
  return undefined
}

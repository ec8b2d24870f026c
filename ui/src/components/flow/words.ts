import type { LucideIcon } from 'lucide-react'
import { ArrowLeftRight, CircleAlert, FoldVertical, ListChecks, MessageSquare, OctagonX, Sparkles, Webhook, Wrench } from 'lucide-react'
import type { FlowKind, FlowNode } from '@/api/flow'
import type { Target } from '@/api/types'
import { categories } from '@/components/categories'
import { flagLooks } from '@/components/flags'
import { summarizeArgs } from '@/lib/args'
import { duration, plural } from '@/lib/format'

interface Look {
  label: string
  icon: LucideIcon
  tone: string
}

export const kinds: Record<FlowKind, Look> = {
  prompt: { label: 'Prompt', icon: MessageSquare, tone: 'text-accent' },
  assistant: { label: 'Response', icon: Sparkles, tone: 'text-text-2' },
  tool: { label: 'Call', icon: Wrench, tone: 'text-text-2' },
  hook: { label: 'Hook', icon: Webhook, tone: 'text-text-3' },
  compaction: { label: 'Compaction', icon: FoldVertical, tone: 'text-warn' },
  plan_change: { label: 'Plan changed', icon: ListChecks, tone: 'text-accent' },
  model_change: { label: 'Model changed', icon: ArrowLeftRight, tone: 'text-accent' },
  abort: { label: 'Interrupted', icon: OctagonX, tone: 'text-warn' },
  error: { label: 'Error', icon: CircleAlert, tone: 'text-fail' },
}

/** Icon and colour of a node; a call has those of its category. */
export function lookOf(node: FlowNode): Look {
  const category = node.kind === 'tool' && node.category ? categories[node.category] : undefined
  return category ? { label: node.label, icon: category.icon, tone: category.text } : kinds[node.kind]
}

/** One line of what a node is about. */
export function summaryOf(node: FlowNode): string {
  if (node.kind === 'tool') return summarizeArgs(node.preview)
  return node.preview.split('\n').find((line) => line.trim() !== '')?.trim() ?? ''
}

export function nameOf(node: FlowNode): string {
  return node.kind === 'assistant' ? 'Response' : node.label
}

/** How it went, in a word; empty where there is nothing to say. */
export function stateOf(node: FlowNode): string {
  if (node.status === 'pending') return 'running'
  if (node.kind === 'tool' && node.exitCode) return `exit ${node.exitCode}`
  if (node.status === 'fail') return node.state || 'failed'
  return ''
}

export function tookOf(node: FlowNode): string {
  return node.durationMs.quality === 'unknown' ? '' : duration(node.durationMs.value)
}

/** The hover of a node: label, summary, how it went, then each flag with its reason and what it rests on. */
export function tipOf(node: FlowNode, times = 1): string {
  const head = [nameOf(node), times > 1 ? `×${times}` : '', node.kind === 'assistant' ? node.label : '', tookOf(node), stateOf(node)].filter(Boolean).join(' · ')
  const summary = summaryOf(node)
  const flags = node.flagDetails.map((f) => {
    const evidence = f.evidence.length > 0 ? ` (rests on ${plural(f.evidence.length, 'place')})` : ''
    return `⚑ ${flagLooks[f.kind].label}: ${f.reason}${evidence}`
  })
  const wait = node.waitMs ? `waited ${duration(node.waitMs)} for a human` : ''
  const result = node.status === 'fail' && node.result ? node.result : ''
  return [head, summary, wait, result, ...flags].filter(Boolean).join('\n')
}

/** The same for a screen reader, in one line. */
export function spokenOf(node: FlowNode, times = 1): string {
  return [nameOf(node), times > 1 ? `${times} times` : '', summaryOf(node).slice(0, 80), stateOf(node) || (node.kind === 'tool' ? 'ok' : ''), tookOf(node), node.flags.length > 0 ? `flags: ${node.flags.map((f) => flagLooks[f].label).join(', ')}` : '']
    .filter(Boolean)
    .join(', ')
}

const letters: Record<Target['kind'], string> = { turn: 't', roundTrip: 'r', call: 'c', marker: 'm' }

/** The node that a flag's target means. */
export function idOfTarget(at: Target, lane: string): string {
  return `${lane ? `${lane}/` : ''}${letters[at.kind]}${at.seq}`
}

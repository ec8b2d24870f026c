import type { LucideIcon } from 'lucide-react'
import { ChartColumn, GitCompareArrows, MessagesSquare, Radio, Workflow } from 'lucide-react'

interface View {
  path: '/live' | '/flow' | '/compare' | '/insights' | '/conversation'
  label: string
  icon: LucideIcon
  many?: true // is about more than the session that is shown
}

/** The views in the order of their tabs. */
export const views: View[] = [
  { path: '/live', label: 'Live', icon: Radio },
  { path: '/flow', label: 'Flow', icon: Workflow },
  { path: '/compare', label: 'Compare', icon: GitCompareArrows, many: true },
  { path: '/insights', label: 'Insights', icon: ChartColumn, many: true },
  { path: '/conversation', label: 'Conversation', icon: MessagesSquare },
]

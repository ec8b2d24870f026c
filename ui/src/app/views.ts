import type { LucideIcon } from 'lucide-react'
import { ChartColumn, GitCompareArrows, MessagesSquare, Radio, Workflow } from 'lucide-react'
import type { ViewName } from '@/lib/keyboard'

interface View {
  name: ViewName
  path: `/${ViewName}`
  label: string
  icon: LucideIcon
  many?: true // is about more than the session that is shown
}

/** The views in the order of their tabs. */
export const views: View[] = [
  { name: 'live', path: '/live', label: 'Live', icon: Radio },
  { name: 'flow', path: '/flow', label: 'Flow', icon: Workflow },
  { name: 'compare', path: '/compare', label: 'Compare', icon: GitCompareArrows, many: true },
  { name: 'insights', path: '/insights', label: 'Insights', icon: ChartColumn, many: true },
  { name: 'conversation', path: '/conversation', label: 'Conversation', icon: MessagesSquare },
]

import type { LucideIcon } from 'lucide-react'
import { AppWindow, Bot, FileText, GitBranch, Globe, Search, SquareTerminal, Wrench } from 'lucide-react'
import type { Category } from '@/api/types'

interface Look {
  label: string
  icon: LucideIcon
  text: string
  fill: string
}

/** The eight categories in the order in which they are shown. Hue and icon say the same thing twice, on purpose. */
export const categories: Record<Category, Look> = {
  file: { label: 'File', icon: FileText, text: 'text-cat-file', fill: 'bg-cat-file' },
  shell: { label: 'Shell', icon: SquareTerminal, text: 'text-cat-shell', fill: 'bg-cat-shell' },
  search: { label: 'Search', icon: Search, text: 'text-cat-search', fill: 'bg-cat-search' },
  web: { label: 'Web', icon: Globe, text: 'text-cat-web', fill: 'bg-cat-web' },
  agent: { label: 'Agent', icon: Bot, text: 'text-cat-agent', fill: 'bg-cat-agent' },
  vcs: { label: 'Version control', icon: GitBranch, text: 'text-cat-vcs', fill: 'bg-cat-vcs' },
  ide: { label: 'IDE', icon: AppWindow, text: 'text-cat-ide', fill: 'bg-cat-ide' },
  other: { label: 'Other', icon: Wrench, text: 'text-cat-other', fill: 'bg-cat-other' },
}

export const categoryNames = Object.keys(categories) as Category[]

import type { LucideIcon } from 'lucide-react'
import { Radio } from 'lucide-react'

interface View {
  path: '/live'
  label: string
  icon: LucideIcon
}

/** The views in the order of their tabs. */
export const views: View[] = [{ path: '/live', label: 'Live', icon: Radio }]

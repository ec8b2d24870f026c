import type { ClassValue } from 'clsx'
import { clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({ extend: { classGroups: { 'font-size': ['text-ui', 'text-small', 'text-code'] } } })

/** Joins class names; later Tailwind classes win over earlier ones of the same kind. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs))
}

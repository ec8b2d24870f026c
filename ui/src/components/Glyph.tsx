/** Marks that stand on a screen by the hundred: one path each, in a box of 24, as Lucide draws them. */
const paths = {
  ok: 'M20 6 9 17l-5-5',
  failed: 'M18 6 6 18M6 6l12 12',
  open: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0z',
  interrupted: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM9 15l6-6',
  abandoned: 'M10 2.2a10 10 0 0 1 4 0M17.6 3.7a10 10 0 0 1 2.7 2.7M21.8 10a10 10 0 0 1 0 4M20.3 17.6a10 10 0 0 1-2.7 2.7M14 21.8a10 10 0 0 1-4 0M6.4 20.3a10 10 0 0 1-2.7-2.7M2.2 14a10 10 0 0 1 0-4M3.7 6.4a10 10 0 0 1 2.7-2.7',
  flag: 'M4 22V4a1 1 0 0 1 .4-.8A6 6 0 0 1 8 2c3 0 5 2 7.3 2q2 0 3.1-.8A1 1 0 0 1 20 4v10a1 1 0 0 1-.4.8A6 6 0 0 1 16 16c-3 0-5-2-8-2a6 6 0 0 0-4 1.5',
  down: 'm6 9 6 6 6-6',
  right: 'm9 18 6-6-6-6',
  agent: 'M12 8V4H8M6 8h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2zM2 14h2M20 14h2M15 13v2M9 13v2',
} as const

interface Props {
  name: keyof typeof paths
  size: number
  className?: string
}

export function Glyph({ name, size, className }: Props) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth={2} strokeLinecap="round" strokeLinejoin="round" className={className}>
      <path d={paths[name]} />
    </svg>
  )
}

interface Props {
  values: number[]
  label: string
  width?: number
  height?: number
}

/** The path of a rising line in a box; a single value is a flat line. */
export function sparkPath(values: number[], width: number, height: number): string {
  if (values.length === 0) return ''
  const max = Math.max(...values, 1)
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const y = (v: number) => (height - 1 - (v / max) * (height - 2)).toFixed(1)
  if (values.length === 1) return `M0 ${y(values[0]!)}L${width} ${y(values[0]!)}`
  return values.map((v, i) => `${i === 0 ? 'M' : 'L'}${(i * step).toFixed(1)} ${y(v)}`).join('')
}

/** At most n of values, always with the last one. */
export function thin(values: number[], n: number): number[] {
  if (values.length <= n) return values
  return Array.from({ length: n }, (_, i) => values[Math.round((i * (values.length - 1)) / (n - 1))]!)
}

export function Sparkline({ values, label, width = 64, height = 20 }: Props) {
  const path = sparkPath(thin(values, width), width, height)
  return (
    <svg role="img" aria-label={label} data-tip={label} width={width} height={height} className="shrink-0 text-accent">
      <path d={`${path}L${width} ${height}L0 ${height}Z`} fill="currentColor" opacity="0.16" />
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  )
}

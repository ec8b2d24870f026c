import { useEffect, useState } from 'react'

/** True once `on` has lasted delayMs: a skeleton that flashes for 50 ms is worse than none. */
export function useDelayed(on: boolean, delayMs = 120): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!on) return
    const timer = setTimeout(() => setLate(true), delayMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [on, delayMs])
  return on && late
}

import { useCallback, useState } from 'react'

interface Open {
  isOpen: (part: string, byDefault?: boolean) => boolean
  toggle: (part: string, byDefault?: boolean) => void
  /** Opens all of them, or closes them if they all are open. */
  toggleAll: (parts: string[]) => void
}

/** Which folded parts are open. It outlives the rows, which come and go as the list is scrolled. */
export function useOpen(): Open {
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(() => new Map())
  const isOpen = useCallback((part: string, byDefault = false) => choices.get(part) ?? byDefault, [choices])
  const toggle = useCallback((part: string, byDefault = false) => setChoices((old) => new Map(old).set(part, !(old.get(part) ?? byDefault))), [])
  const toggleAll = useCallback((parts: string[]) => {
    setChoices((old) => {
      const open = !parts.every((p) => old.get(p))
      return new Map([...old, ...parts.map((p) => [p, open] as const)])
    })
  }, [])
  return { isOpen, toggle, toggleAll }
}

/** Every key of the page. The help dialog shows this table and useShortcuts obeys it; there is no other place. */
export interface Shortcut {
  action: Action
  keys: string[] // KeyboardEvent.key values; "mod+" is ⌘ on a Mac and Ctrl elsewhere
  show: string[]
  label: string
  group: 'Anywhere' | 'Turns' | 'Calls'
}

export type Action =
  | 'palette'
  | 'compare'
  | 'help'
  | 'theme'
  | 'clear'
  | 'nextTurn'
  | 'previousTurn'
  | 'firstRow'
  | 'lastRow'
  | 'open'
  | 'filter'
  | 'nextError'
  | 'nextCall'
  | 'previousCall'

export const shortcuts: Shortcut[] = [
  { action: 'palette', keys: ['mod+k'], show: ['⌘K', 'Ctrl K'], label: 'Sessions and commands', group: 'Anywhere' },
  { action: 'compare', keys: ['c'], show: ['c'], label: 'Compare the turn with…; in Compare: choose the other side', group: 'Anywhere' },
  { action: 'theme', keys: ['t'], show: ['t'], label: 'Dark or light', group: 'Anywhere' },
  { action: 'help', keys: ['?'], show: ['?'], label: 'This help', group: 'Anywhere' },
  { action: 'clear', keys: ['Escape'], show: ['Esc'], label: 'Clear: call, then turn, then filters', group: 'Anywhere' },
  { action: 'nextTurn', keys: ['j', 'ArrowDown'], show: ['j', '↓'], label: 'Turn below', group: 'Turns' },
  { action: 'previousTurn', keys: ['k', 'ArrowUp'], show: ['k', '↑'], label: 'Turn above', group: 'Turns' },
  { action: 'firstRow', keys: ['g'], show: ['g'], label: 'Top of the list (latest turn)', group: 'Turns' },
  { action: 'lastRow', keys: ['G'], show: ['G'], label: 'Bottom of the list (first turn)', group: 'Turns' },
  { action: 'open', keys: ['Enter'], show: ['Enter'], label: 'Open the turn', group: 'Turns' },
  { action: 'filter', keys: ['/', 'f'], show: ['/', 'f'], label: 'Filter turns', group: 'Turns' },
  { action: 'nextError', keys: ['e'], show: ['e'], label: 'Next error', group: 'Calls' },
  { action: 'previousCall', keys: ['['], show: ['['], label: 'Previous call', group: 'Calls' },
  { action: 'nextCall', keys: [']'], show: [']'], label: 'Next call', group: 'Calls' },
]

type Press = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey'>

/** The action that a key press asks for, if any. */
export function actionOf(event: Press): Action | undefined {
  if (event.altKey) return undefined
  const mod = event.metaKey || event.ctrlKey
  const name = mod ? `mod+${event.key.toLowerCase()}` : event.key
  return shortcuts.find((s) => s.keys.includes(name))?.action
}

/** Whether a key press belongs to the element that has the focus and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

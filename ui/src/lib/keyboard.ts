export type ViewName = 'live' | 'flow' | 'compare' | 'insights' | 'conversation'

/** Every key of the page. The help dialog shows this table and useShortcuts obeys it; there is no other place. */
export interface Shortcut {
  action: Action
  keys: string[] // KeyboardEvent.key values; "mod+" is ⌘ on a Mac and Ctrl elsewhere
  show: string[]
  label: string | Partial<Record<ViewName, string>> // what it does, everywhere or by view; where it does nothing, nothing is said
  group: 'Anywhere' | 'Here'
}

export type Action =
  | 'palette'
  | 'view'
  | 'compare'
  | 'help'
  | 'theme'
  | 'clear'
  | 'nextTurn'
  | 'previousTurn'
  | 'firstRow'
  | 'lastRow'
  | 'open'
  | 'search'
  | 'fit'
  | 'zoomIn'
  | 'zoomOut'
  | 'walk'
  | 'nextError'
  | 'nextCall'
  | 'previousCall'

export const shortcuts: Shortcut[] = [
  { action: 'palette', keys: ['mod+k'], show: ['⌘K', 'Ctrl K'], label: 'Sessions and commands', group: 'Anywhere' },
  { action: 'view', keys: ['1', '2', '3', '4', '5'], show: ['1', '…', '5'], label: 'Live, Flow, Compare, Insights, Conversation', group: 'Anywhere' },
  { action: 'theme', keys: ['t'], show: ['t'], label: 'Dark or light', group: 'Anywhere' },
  { action: 'help', keys: ['?'], show: ['?'], label: 'This help', group: 'Anywhere' },
  { action: 'nextTurn', keys: ['j', 'ArrowDown'], show: ['j', '↓'], label: { live: 'Turn below (older)', flow: 'Next turn', conversation: 'Next message' }, group: 'Here' },
  { action: 'previousTurn', keys: ['k', 'ArrowUp'], show: ['k', '↑'], label: { live: 'Turn above (newer)', flow: 'Turn before', conversation: 'Message before' }, group: 'Here' },
  { action: 'firstRow', keys: ['g'], show: ['g'], label: { live: 'Latest turn, at the top', flow: 'First turn', conversation: 'First message' }, group: 'Here' },
  { action: 'lastRow', keys: ['G'], show: ['G'], label: { live: 'First turn, at the bottom', flow: 'Latest turn', conversation: 'Newest message' }, group: 'Here' },
  { action: 'open', keys: ['Enter'], show: ['Enter'], label: { live: 'Stay with the turn', conversation: 'Open the turn of the message in Live' }, group: 'Here' },
  { action: 'search', keys: ['/'], show: ['/'], label: { live: 'Filter turns', conversation: 'Find in the conversation' }, group: 'Here' },
  { action: 'fit', keys: ['f'], show: ['f'], label: { live: 'Filter turns', flow: 'Fit map and turn into their windows', conversation: 'Find in the conversation' }, group: 'Here' },
  { action: 'zoomIn', keys: ['+', '='], show: ['+'], label: { flow: 'Zoom in' }, group: 'Here' },
  { action: 'zoomOut', keys: ['-'], show: ['−'], label: { flow: 'Zoom out' }, group: 'Here' },
  { action: 'walk', keys: [], show: ['←', '↑', '↓', '→'], label: { flow: 'From node to node, once one has the focus' }, group: 'Here' },
  { action: 'nextError', keys: ['e'], show: ['e'], label: { live: 'Next broken call', flow: 'Next broken call', conversation: 'Next message with a broken call' }, group: 'Here' },
  { action: 'previousCall', keys: ['['], show: ['['], label: { live: 'Call before', flow: 'Call before' }, group: 'Here' },
  { action: 'nextCall', keys: [']'], show: [']'], label: { live: 'Next call', flow: 'Next call' }, group: 'Here' },
  { action: 'compare', keys: ['c'], show: ['c'], label: { live: 'Compare the turn with another', compare: 'Choose the other side' }, group: 'Here' },
  { action: 'clear', keys: ['Escape'], show: ['Esc'], label: { live: 'Clear: call, then turn, then filters', flow: 'Clear: pin, then turn, then filter', conversation: 'Clear: search, then message' }, group: 'Here' },
]

/** What a key does in a view; undefined = nothing. */
export function labelIn(view: ViewName | undefined, { label }: Shortcut): string | undefined {
  return typeof label === 'string' ? label : view && label[view]
}

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

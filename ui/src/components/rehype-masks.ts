import { isMasked, piecesOf } from '@/lib/masks'

interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

/** Makes masks in the texts of a tree elements of their own. Nothing else in a text that is no HTML becomes a <mark>. */
export function rehypeMasks() {
  return (tree: Node): void => split(tree)
}

function split(node: Node): void {
  if (!node.children) return
  node.children = node.children.flatMap((child): Node[] => {
    if (child.type !== 'text' || !isMasked(child.value ?? '')) {
      split(child)
      return [child]
    }
    return piecesOf(child.value ?? '').map((p) =>
      p.rule ? { type: 'element', tagName: 'mark', properties: {}, children: [{ type: 'text', value: p.text }] } : { type: 'text', value: p.text },
    )
  })
}

import type { Painter } from '@/components/flow/use-sweep'
import type { AgentData, QuietData, TurnData } from './MapNodes'

export type MapData = TurnData | QuietData | AgentData | Record<string, unknown>

const LONGEST = 44 // letters that are surely no wider than a card

/** Draws the cards of the map as they look in passing: the frame, the turn, the beginning of its prompt. */
export function ghostOf(el: Element): Painter<MapData> {
  const style = getComputedStyle(el)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const colours = { panel: token('panel'), line: token('line'), text: token('text'), dim: token('text-3'), accent: token('accent'), fail: token('fail'), agent: token('cat-agent') }
  const font = style.fontFamily
  return (ctx, node) => {
    const { x, y, width, height } = node
    const turn = node.type === 'turn' ? (node.data as TurnData) : undefined
    ctx.lineWidth = turn?.selected ? 2 : 1
    ctx.strokeStyle = turn?.selected ? colours.accent : node.type === 'agent' ? colours.agent : colours.line
    ctx.fillStyle = colours.panel
    ctx.beginPath()
    ctx.roundRect(x, y, width, height, 6)
    if (node.type !== 'quiet') ctx.fill()
    ctx.stroke()
    if (turn && turn.turn.totals.failedCalls > 0) {
      ctx.fillStyle = colours.fail
      ctx.fillRect(x, y + 3, 3, height - 6)
    }
    const [head, text] = linesOf(node.type, node.data)
    ctx.font = `${turn ? '500 ' : ''}12px ${font}`
    ctx.fillStyle = turn && !turn.dim ? colours.text : colours.dim
    ctx.fillText(head, x + 10, y + 19)
    if (!text) return
    ctx.font = `13px ${font}`
    ctx.fillText(text, x + 10, y + 37)
  }
}

function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

function linesOf(type: string, data: MapData): [string, string?] {
  switch (type) {
    case 'turn': {
      const { turn } = data as TurnData
      const prompt = turn.prompt.preview.trim().split('\n', 1)[0] ?? ''
      return [String(turn.index + 1), clip(prompt, LONGEST)]
    }
    case 'quiet': {
      const { turns, word } = data as QuietData
      return [`${turns.length} ${word} turns`]
    }
    case 'agent':
      return [clip((data as AgentData).session.title || 'Sub-agent', LONGEST / 2)]
    default:
      return ['']
  }
}

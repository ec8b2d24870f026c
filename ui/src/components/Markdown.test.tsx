import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { MarkdownRendered } from './MarkdownRendered'

afterEach(cleanup)

test('raw HTML is never rendered', () => {
  const { container } = render(<MarkdownRendered text={'before <img src=x onerror=alert(1)> <script>alert(1)</script> after'} />)
  expect(container.querySelector('img, script')).toBeNull()
})

test('a link that runs code loses its address, and pictures are not loaded', () => {
  const { container } = render(<MarkdownRendered text={'[x](javascript:alert(1)) ![y](https://example.com/y.png)'} />)
  expect(container.querySelector('a')?.getAttribute('href') ?? '').not.toContain('javascript')
  expect(container.querySelector('img')).toBeNull()
  expect(container.textContent).toContain('[picture: y]')
})

test('code blocks keep their text', () => {
  render(<MarkdownRendered text={'```ts\nconst a = 1\n```'} />)
  expect(screen.getByLabelText('Code, ts').textContent).toContain('const a = 1')
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { test as base, expect } from '@playwright/test'
import { Daemon } from './daemon'

export { expect }

interface Fixtures {
  /** Fails the test when the page reports an error. */
  quiet: void
  empty: Daemon
  guarded: Daemon
}

export const test = base.extend<Fixtures, { demo: Daemon }>({
  demo: [
    async ({}, run) => {
      const daemon = await Daemon.demo()
      await run(daemon)
      await daemon.stop()
    },
    { scope: 'worker' },
  ],
  empty: async ({}, run) => {
    const daemon = await Daemon.empty()
    await run(daemon)
    await daemon.stop()
  },
  guarded: async ({}, run) => {
    const daemon = await Daemon.guarded()
    await run(daemon)
    await daemon.stop()
  },
  quiet: [
    async ({ page }, run) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      await run()
      // A daemon that a test takes away is refused by the browser in its own words.
      expect(errors.filter((text) => !/ERR_CONNECTION|WebSocket|Failed to load resource/.test(text))).toEqual([])
    },
    { auto: true },
  ],
})

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary?: string }[]
}

/** Expects that axe finds nothing to say about the page as it is. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axeSource)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } }
    return (await axe.run()).violations
  })
  const words = violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} ${n.failureSummary ?? ''}`).join('; ')}`)
  expect(words).toEqual([])
}

export const claudeTools = 'claude:22222222-2222-4222-8222-222222222222'

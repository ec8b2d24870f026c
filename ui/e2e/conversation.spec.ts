import type { Page } from '@playwright/test'
import { claudeTools, expect, expectAccessible, test } from './fixtures'

const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const agents = 'claude:55555555-5555-4555-8555-555555555555'
const at = (url: string, session: string, more = '') => `${url}/conversation?session=${session}${more}`

test('a conversation is read from its end; calls are one line until they are opened', async ({ page, demo }) => {
  await page.goto(at(demo.url, claudeTools))
  const list = messages(page)
  await expect(list.getByText('Hello from the scripted model.')).toBeInViewport()
  await expect(list.getByRole('article', { name: /^Command/ })).toContainText('/compact keep it short')
  const call = list.getByRole('button', { name: /cat \/nonexistent-file/ }).first()
  await expect(call).toContainText('failed')
  await call.click()
  await expect(list.getByRole('group', { name: 'Result' })).toContainText('No such file')
  await call.click()
  await expect(list.getByRole('group', { name: 'Result' })).toBeHidden()
})

test('outcomes that are known later, and less room, leave the end in sight', async ({ page, demo }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/turns?*', async (route) => {
    await held
    await route.continue()
  })
  await page.setViewportSize({ width: 960, height: 420 })
  await page.goto(at(demo.url, claudeTools))
  const last = messages(page).getByText('Hello from the scripted model.')
  await expect(last).toBeInViewport()
  release()
  await expect(messages(page).getByRole('note', { name: 'Outcome of turn 1' })).toBeAttached()
  const below = () => messages(page).evaluate((el) => Math.round(el.scrollHeight - el.scrollTop - el.clientHeight))
  await expect.poll(below).toBe(0)
  await page.setViewportSize({ width: 960, height: 380 })
  await expect.poll(below).toBe(0)
  await expect(last).toBeInViewport({ ratio: 1 })
})

test('sub-agents have transcripts of their own, reached from the list and from their call', async ({ page, demo }) => {
  await page.goto(at(demo.url, agents))
  await page.getByRole('button', { name: /^Transcript: Main/ }).click()
  await page.getByRole('menuitemradio', { name: /Count files/ }).click()
  await expect(messages(page).getByRole('article', { name: /^Task/ })).toBeVisible()
  await expect.poll(() => param(page, 'agent')).not.toBeNull()
  await page.goBack()
  await messages(page).getByRole('button', { name: /Agent Explore repo/ }).click()
  await page.getByRole('button', { name: /Explore repo: \d+ messages/ }).click()
  await expect(page.getByRole('button', { name: /^Transcript: Explore repo/ })).toBeVisible()
})

test('keys walk the messages, and the URL names the one that is chosen', async ({ page, demo }) => {
  await page.goto(at(demo.url, claudeTools))
  await expect(messages(page).getByText('Hello from the scripted model.')).toBeVisible()
  await page.keyboard.press('k')
  await expect.poll(() => param(page, 'line')).toBe('86')
  await page.keyboard.press('Enter')
  await expect(messages(page).getByText('The user wants a greeting. Keep it short.').last()).toBeVisible()
  await page.keyboard.press('g')
  await expect.poll(() => param(page, 'line')).toBe('3')
  await page.keyboard.press('e')
  await expect.poll(() => param(page, 'line')).toBe('10')
  await page.reload()
  await expect(page.locator('article[data-chosen]')).toContainText('Let me inspect the project.')
  await page.keyboard.press('G')
  await expect.poll(() => param(page, 'line')).toBeNull()
  await expect(messages(page).getByText('Hello from the scripted model.')).toBeInViewport()
})

test('a text is found in words, arguments and results', async ({ page, demo }) => {
  await page.goto(at(demo.url, claudeTools))
  await expect(messages(page).getByRole('article').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('NONEXISTENT')
  const box = page.getByRole('search')
  await expect(box.getByRole('status')).toHaveText('2')
  await page.keyboard.press('Enter')
  await expect.poll(() => param(page, 'line')).toBe('33')
  await expect(box.getByRole('status')).toHaveText('2 / 2')
  await expect(messages(page).getByRole('group', { name: 'Arguments' }).first()).toContainText('nonexistent')
  await page.keyboard.press('Enter')
  await expect.poll(() => param(page, 'line')).toBe('27')
  await page.getByLabel('Find in the conversation').fill('no such words')
  await expect(box.getByRole('status')).toHaveText('nothing')
})

test('a turn opens in Live, and a conversation is copied as Markdown', async ({ page, demo, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(at(demo.url, claudeTools))
  await page.getByRole('button', { name: 'Copy the conversation as Markdown' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/## Turn 1\n\n### User\n\n\[\[tools\]\] please work[\s\S]*<details><summary>Bash/)
  await messages(page).getByRole('link', { name: 'Open in Live →' }).last().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/live\?.*turn=2/)
})

test('what is not there is said to be not there', async ({ page, demo }) => {
  await page.goto(at(demo.url, 'claude:nowhere'))
  await expect(page.getByRole('heading', { name: 'This session is not known here' })).toBeVisible()
  await page.goto(at(demo.url, claudeTools, '&agent=nobody'))
  await page.getByRole('button', { name: 'Show the main conversation' }).click()
  await expect(messages(page).getByRole('article').first()).toBeVisible()
})

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, reducedMotion: 'reduce' } as object)

    test('axe finds nothing, wide and narrow', async ({ page, demo }) => {
      await page.goto(at(demo.url, claudeTools, '&line=10&find=alpha'))
      await expect(page.locator('article[data-chosen]')).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(messages(page).getByRole('group', { name: 'Result' }).first()).toBeVisible()
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(at(demo.url, agents))
      await expect(messages(page).getByRole('article').first()).toBeVisible()
      await expectAccessible(page)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    })
  })
}

import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'
import { Transcript } from './transcript'

const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const sessions = (page: Page) => page.getByRole('region', { name: 'Sessions', exact: true })
const questions = ['How many tokens per day?', 'Which tools fail most?', 'What does each model cost?', 'Which flags, how often?', 'Where do the tokens go?', 'How many calls does a turn take?', 'How does each tool do?', 'Which sessions were these?']

test('every chart answers a question', async ({ page, demo }) => {
  await page.goto(`${demo.url}/insights`)
  for (const name of questions) await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByText('Calls that failed')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Fail rate by tool' }).getByRole('listitem').first()).toContainText('%')
})

test('filters are in the URL and can be cleared', async ({ page, demo }) => {
  await page.goto(`${demo.url}/insights`)
  const count = page.getByRole('search', { name: 'Filter sessions' }).getByRole('status')
  await expect(count).toContainText('sessions')
  const all = await count.textContent()
  await page.getByRole('button', { name: /^Agent/ }).click()
  await page.getByRole('menuitemradio', { name: 'Codex' }).click()
  await expect(count).not.toHaveText(all!)
  expect(param(page, 'agent')).toBe('codex')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Agent: Codex' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(count).toHaveText(all!)
  await page.goto(`${demo.url}/insights?repo=no/such`)
  await expect(page.getByRole('heading', { name: 'No session matches the filter' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect(count).toHaveText(all!)
})

test('a day is chosen with the mouse or the keyboard, and only what is below changes', async ({ page, demo }) => {
  await page.goto(`${demo.url}/insights`)
  const chart = page.getByRole('slider')
  await expect(chart).toHaveAttribute('aria-valuetext', /tokens$/)
  await chart.click()
  await expect.poll(() => param(page, 'brush')).toMatch(/^\d{4}-\d{2}-\d{2}\.\.\d{4}-\d{2}-\d{2}$/)
  await expect(page.getByText(/^Below: /)).toBeVisible()
  await page.getByRole('button', { name: 'All days', exact: true }).click()
  await expect.poll(() => param(page, 'brush')).toBeNull()
  await chart.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => param(page, 'brush')).not.toBeNull()
  await page.keyboard.press('Escape')
  await expect.poll(() => param(page, 'brush')).toBeNull()
})

test('the sessions below a chosen day are those that its column counts', async ({ page, demo }) => {
  const { days } = (await (await page.request.get(`${demo.url}/api/insights?limit=5000&tz=UTC`)).json()) as { days: { day: string; sessions: number }[] }
  const busy = days.filter((d) => d.sessions > 0).slice(-2)
  for (const { day, sessions: n } of busy) {
    await page.goto(`${demo.url}/insights?last=5000&brush=${day}..${day}`)
    await expect(page.getByText(/^Below: /)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Which sessions were these?' })).toContainText(new RegExp(`\\b${n}\\s+sessions?\\b`))
  }
})

test('what goes on, and a label that is given elsewhere, are seen without a reload', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await log.prompt('One?')
  await log.reply('One.')
  await page.goto(`${empty.url}/insights`)
  await expect(page.getByText('1 turn · 0 calls')).toBeVisible()
  await log.prompt('Two?')
  await log.reply('Two.')
  await expect(page.getByText('2 turns · 0 calls')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Label/ })).toHaveCount(0)
  await page.request.post(`${empty.url}/api/sessions/${log.session}/labels`, { data: { label: 'told' } })
  await page.getByRole('button', { name: /^Label/ }).click()
  await expect(page.getByRole('menuitemradio', { name: 'told' })).toBeVisible()
})

test('charts show another number when asked', async ({ page, demo }) => {
  await page.goto(`${demo.url}/insights`)
  await page.getByRole('button', { name: 'Show: Tokens' }).click()
  await page.getByRole('menuitemradio', { name: 'Cost' }).click()
  await expect(page.getByRole('heading', { name: 'What did each day cost?' })).toBeVisible()
  expect(param(page, 'per')).toBe('cost')
})

test('a column of the chart of sessions is reached by keys and opens its session', async ({ page, demo }) => {
  await page.goto(`${demo.url}/insights`)
  const chart = page.getByRole('group', { name: /^How many calls does a turn take\?/ })
  await expect(chart.locator('[tabindex="0"]')).toHaveCount(1)
  await chart.locator('[tabindex="0"]').focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('tooltip')).toContainText('calls per turn')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/live\?session=/)
})

test('sessions are sorted, opened and exported', async ({ page, demo }) => {
  await page.goto(`${demo.url}/insights?last=5000`)
  await sessions(page).getByRole('button', { name: 'Calls' }).click()
  await expect(sessions(page).getByRole('columnheader', { name: 'Calls' })).toHaveAttribute('aria-sort', 'descending')
  const calls = await sessions(page).getByRole('row').locator('td:nth-of-type(3)').allTextContents()
  const numbers = calls.map(Number)
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a))
  // Only what is in sight is drawn.
  expect(numbers.length).toBeLessThan(45)
  const href = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
  const csv = await page.request.get(new URL(href!, demo.url).href)
  expect(csv.headers()['content-type']).toContain('text/csv')
  expect((await csv.text()).trim().split('\n').length).toBeGreaterThan(numbers.length)
  await sessions(page).getByRole('link').first().click()
  await expect(page.getByRole('region', { name: 'Turns', exact: true })).toBeVisible()
})

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } })

    for (const [name, search] of [['everything', ''], ['a range of days', '?from=2026-01-01'], ['nothing that matches', '?repo=no/such']]) {
      test(`axe finds nothing in Insights with ${name}`, async ({ page, demo }) => {
        await page.goto(`${demo.url}/insights${search}`)
        await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
        await expectAccessible(page)
      })
    }
  })
}

test('a phone holds it', async ({ page, demo }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${demo.url}/insights`)
  await expect(page.getByRole('heading', { name: questions[0]! })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await expectAccessible(page)
})

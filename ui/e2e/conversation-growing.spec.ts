import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { Transcript } from './transcript'

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const articles = (page: Page) => messages(page).getByRole('article')

async function talk(log: Transcript, from: number, to: number): Promise<void> {
  for (let i = from; i <= to; i++) {
    await log.prompt(`Question ${i}.`)
    await log.reply(`Answer ${i}.`)
  }
}

test('messages arrive at the bottom, and a result comes to its call', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await log.hold('busy')
  await log.prompt('Fix the flaky test')
  await page.goto(empty.url)
  await page.getByRole('link', { name: 'Conversation' }).click()
  await expect(articles(page)).toHaveCount(1)
  const call = await log.call('Bash', { command: 'npm test' })
  const line = messages(page).getByRole('button', { name: /npm test/ })
  await expect(line).toContainText('running')
  await log.result(call, 'Exit code 1\n2 failed', true)
  await expect(line).toContainText('failed')
  await log.reply('It was the **clock**.')
  await expect(messages(page).getByText('clock')).toBeInViewport()
  await expect(articles(page)).toHaveCount(3)
  await talk(log, 1, 12)
  await expect(messages(page).getByText('Answer 12.')).toBeInViewport()
})

test('who reads further up is not moved, and is told what came in', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await talk(log, 1, 80)
  await page.goto(`${empty.url}/conversation`)
  await expect(messages(page).getByText('Answer 80.')).toBeInViewport()
  await messages(page).evaluate((el) => el.scrollBy(0, -600))
  const read = articles(page).filter({ hasText: /Question 7[2-5]\./ }).first()
  await expect(read).toBeVisible()
  const text = (await read.textContent())!
  const same = messages(page).getByText(/Question \d+\./.exec(text)![0], { exact: true })
  const before = await same.boundingBox()
  await log.prompt('Question 81.')
  await log.reply('Answer 81.')
  const button = page.getByRole('button', { name: '2 new messages' })
  await expect(button).toBeVisible()
  expect(await same.boundingBox()).toEqual(before)
  await button.click()
  await expect(messages(page).getByText('Answer 81.')).toBeInViewport()
  await expect(button).toBeHidden()
})

test('older messages come in above without a jump, all of them and each once', async ({ page, empty }) => {
  test.slow() // up to 200 steps of several frames
  const log = new Transcript(empty.home)
  await talk(log, 1, 80)
  await page.goto(`${empty.url}/conversation`)
  const list = messages(page)
  await expect(list.getByText('Answer 80.')).toBeInViewport()
  const seen = new Set<string>()
  // Upwards in steps: whatever is in sight moves by the step and by nothing else.
  for (let steps = 0; steps < 200; steps++) {
    for (const text of await articles(page).allTextContents()) for (const found of text.match(/(Question|Answer) \d+\./g) ?? []) seen.add(found)
    if ((await list.getByText('The conversation begins here').count()) > 0 && (await list.evaluate((el) => el.scrollTop)) === 0) break
    const error = await list.evaluate(async (el) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const top = el.getBoundingClientRect().top
      const anchor = [...el.querySelectorAll('article')].find((a) => a.getBoundingClientRect().top > top + 60)!
      const from = anchor.getBoundingClientRect().top
      const step = Math.min(150, el.scrollTop)
      el.scrollBy(0, -step)
      await frame()
      await frame()
      return anchor.isConnected ? anchor.getBoundingClientRect().top - from - step : 0
    })
    expect(Math.abs(error)).toBeLessThanOrEqual(2)
  }
  expect(seen.size).toBe(160)
})

test('a link leads to a message far up, and both ways lead on from there', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await talk(log, 1, 120)
  await page.goto(`${empty.url}/conversation?line=41`)
  await expect(page.locator('article[data-chosen]')).toContainText('Question 21.')
  await expect(page.locator('article[data-chosen]')).toBeInViewport()
  await page.getByLabel('Find in the conversation').fill('Question 3.')
  await page.getByLabel('Find in the conversation').press('Enter')
  await expect(page.locator('article[data-chosen]')).toContainText('Question 3.')
  await page.getByRole('button', { name: 'Latest' }).click()
  await expect(messages(page).getByText('Answer 120.')).toBeInViewport()
})

test('a daemon that went away leaves no gap and no double', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await talk(log, 1, 2)
  await page.goto(`${empty.url}/conversation`)
  await expect(articles(page)).toHaveCount(4)
  const port = empty.port
  await empty.kill()
  await expect(page.getByText(/Reconnecting in/)).toBeVisible()
  await talk(log, 3, 4)
  await empty.start(port)
  await expect(articles(page)).toHaveCount(8)
  await talk(log, 5, 5)
  await expect(articles(page)).toHaveCount(10)
  expect(await articles(page).allTextContents()).toHaveLength(new Set(await articles(page).allTextContents()).size)
})

test('long texts are clipped, what the daemon cut is read on demand, bad lines are counted', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await log.prompt(`Please. ${'word '.repeat(300)}the end of the prompt`)
  const call = await log.call('Bash', { command: 'cat big' })
  await log.result(call, `${'line of output\n'.repeat(2000)}the end of the output`)
  await log.damage()
  await log.reply('Read.')
  await page.goto(`${empty.url}/conversation`)
  const list = messages(page)
  await expect(list.getByText('Read.')).toBeVisible()
  await expect(list.getByText('the end of the prompt')).toBeHidden()
  await list.getByRole('button', { name: /Show all 1,5\d\d characters/ }).click()
  await expect(list.getByText('the end of the prompt')).toBeVisible()
  await list.getByRole('button', { name: /cat big/ }).click()
  await list.getByRole('button', { name: /Show all 30/ }).click()
  await expect(list.getByText('the end of the output')).toBeAttached()
  await expect(page.getByText('1 unreadable line')).toBeVisible()
})

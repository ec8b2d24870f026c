import type { Page, WebSocketRoute } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'
import { Transcript } from './transcript'

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const articles = (page: Page) => messages(page).getByRole('article')

async function talk(log: Transcript, from: number, to: number): Promise<void> {
  for (let i = from; i <= to; i++) {
    await log.prompt(`Question ${i}.`)
    await log.reply(`Answer ${i}.`)
  }
}

/** Every question and answer up to n, each once and in order. */
async function expectAll(page: Page, n: number): Promise<void> {
  const want = Array.from({ length: n }, (_, i) => [`Question ${i + 1}.`, `Answer ${i + 1}.`]).flat()
  await expect.poll(async () => (await articles(page).allTextContents()).flatMap((t) => t.match(/(Question|Answer) \d+\./g) ?? [])).toEqual(want)
}

test('a socket that breaks, and one that swallows messages first, leave no gap and no double', async ({ page, empty }) => {
  const sockets: WebSocketRoute[] = []
  let deaf = false
  await page.routeWebSocket(/\/ws/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((data) => {
      if (!deaf) socket.send(data)
    })
    sockets.push(socket)
  })
  const log = new Transcript(empty.home)
  await talk(log, 1, 2)
  await page.goto(`${empty.url}/conversation`)
  await expectAll(page, 2)
  await sockets[0]!.close({ code: 1011 })
  await talk(log, 3, 3)
  await expectAll(page, 3)
  expect(sockets).toHaveLength(2)
  deaf = true
  await talk(log, 4, 4)
  await expect.poll(async () => (await (await page.request.get(`${empty.url}/api/sessions/${log.session}`)).json() as { totals: { turns: number } }).totals.turns).toBe(4)
  await expect(articles(page)).toHaveCount(6)
  await sockets[1]!.close({ code: 1011 })
  deaf = false
  await expectAll(page, 4)
  await talk(log, 5, 5)
  await expectAll(page, 5)
  await expect(messages(page).getByText('Answer 5.')).toBeInViewport()
})

test('a log that is written anew, and shorter, is shown as it stands then', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await talk(log, 1, 6)
  await page.goto(`${empty.url}/conversation?line=5`)
  await expect(page.locator('article[data-chosen]')).toContainText('Question 3.')
  await log.rewrite(2)
  await expect(page.getByText('The agent wrote its log anew')).toBeVisible()
  await expectAll(page, 1)
  await talk(log, 2, 2)
  await expectAll(page, 2)
  await expect(page).not.toHaveURL(/line=/)
})

test('a log that is removed leaves its numbers', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await talk(log, 1, 2)
  await page.goto(`${empty.url}/conversation`)
  await expectAll(page, 2)
  await log.remove()
  await expect(page.getByRole('heading', { name: 'The log is no longer there' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Live', exact: true }).click()
  await expect(page.getByText('Question 2.').first()).toBeVisible()
})

test('compactions have transcripts under a heading of their own', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await talk(log, 1, 1)
  await log.aside('acompact-1a2b3c4d', 'Summarize the conversation so far.', 'The user asked one question.')
  await log.aside('a5e6f7a8b9c0d1e2', 'Count the files.', 'There are three.')
  await page.goto(`${empty.url}/conversation`)
  await expectAll(page, 1)
  await page.getByRole('button', { name: /^Transcript: Main/ }).click()
  const menu = page.getByRole('menu')
  await expect(menu.getByText('Compactions')).toBeVisible()
  await expect(menu.getByText('Sub-agents')).toBeVisible()
  await menu.getByRole('menuitemradio', { name: /Summarize the conversation/ }).click()
  await expect(messages(page).getByText('The user asked one question.')).toBeVisible()
  await expect(page).toHaveURL(/agent=acompact-1a2b3c4d/)
  await page.reload()
  await expect(messages(page).getByText('The user asked one question.')).toBeVisible()
})

test('each message leads to its line of the log', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await talk(log, 1, 3)
  await page.goto(`${empty.url}/conversation`)
  await articles(page).filter({ hasText: 'Answer 2.' }).hover()
  await articles(page).filter({ hasText: 'Answer 2.' }).getByRole('button', { name: `Show the log’s line, from ${log.session}.jsonl:4` }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('heading')).toContainText('.jsonl:4')
  await expect(sheet).toContainText('"Answer 2."')
  await expect(sheet).not.toContainText('"Answer 3."')
  await page.reload()
  await expect(sheet).toContainText('"Answer 2."')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page).not.toHaveURL(/raw=/)
})

test('a long answer is clipped, and all of it is read on demand', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await log.prompt('Write much.')
  await log.reply(`The beginning.\n\n${'a sentence of the answer. '.repeat(1200)}\n\nThe end of the answer.`)
  await page.goto(`${empty.url}/conversation`)
  const list = messages(page)
  await expect(list.getByText('The beginning.')).toBeVisible()
  await list.getByRole('button', { name: /Show all 10,\d\d\d characters/ }).click()
  await expect(list.getByText('Cut here')).toBeVisible()
  await list.getByRole('button', { name: /Show all 31/ }).click()
  await expect(list.getByText('The end of the answer.')).toBeAttached()
  await expect(list.getByText('Cut here')).toBeHidden()
  await list.getByRole('button', { name: 'Show less' }).click()
  await expect(list.getByText('The end of the answer.')).toBeHidden()
})

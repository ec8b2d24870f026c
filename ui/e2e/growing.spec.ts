import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { Transcript } from './transcript'

const turns = (page: Page) => page.getByRole('region', { name: 'List of turns' }).getByRole('listitem')

test('an empty home says where it looked, and the first session shows up by itself', async ({ page, empty }) => {
  await page.goto(empty.url)
  await expect(page.getByRole('heading', { name: 'No agent has left a session here yet' })).toBeVisible()
  await expect(page.getByText(`${empty.home}/.claude`)).toBeVisible()
  await expect(page.getByText('turnwatch serve --demo')).toBeVisible()
  const log = new Transcript(empty.home)
  await log.prompt('Say hello')
  await log.reply('Hello!')
  await expect(turns(page).first()).toContainText('Say hello')
})

test('a turn arrives while it runs', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await log.hold('busy')
  await log.prompt('Fix the flaky test')
  await page.goto(empty.url)
  const banner = page.getByRole('region', { name: 'In progress' })
  await expect(banner).toContainText('Turn 1')
  await expect(turns(page).first()).toContainText('Fix the flaky test')

  const call = await log.call('Bash', { command: 'npm test' })
  await expect(banner).toContainText('Bash')
  await expect(banner).toContainText('1 call')
  await log.result(call, 'Exit code 1\n2 failed', true)
  await expect(turns(page).first()).toContainText('fail')
  const again = await log.call('Bash', { command: 'npm test -- --retry' })
  await log.result(again, '2 passed')
  await expect(turns(page).first()).toContainText('retry')
  await log.reply('It was the **clock**.')
  await expect(page.getByRole('region', { name: /Latest reply|Response/ }).getByText('clock')).toBeVisible()

  await log.hold('idle')
  await expect(page.getByText('Waiting for the next prompt.')).toBeVisible()
  await expect(banner).toBeHidden()
  await log.hold('waiting', 'permission to run rm')
  await expect(page.getByText('permission to run rm').first()).toBeVisible()
})

test('a list that was scrolled does not move when turns arrive', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  for (let i = 1; i <= 60; i++) {
    await log.prompt(`Question ${i}`)
    await log.reply(`Answer ${i}`)
  }
  await page.goto(empty.url)
  await expect(turns(page).first()).toContainText('Question 60')
  const list = page.getByRole('region', { name: 'List of turns' })
  await list.evaluate((el) => el.scrollTo(0, 900))
  const read = page.getByText('Question 40', { exact: true })
  await expect(read).toBeVisible()
  const before = await read.boundingBox()
  await log.prompt('Question 61')
  await log.reply('Answer 61')
  await expect(page.getByRole('region', { name: 'Session', exact: true })).toContainText('61 turns')
  await expect.poll(() => list.evaluate((el) => el.scrollTop)).toBe(956)
  expect(await read.boundingBox()).toEqual(before)
})

test('a chosen turn stays chosen, and one click goes back to the latest', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  for (const question of ['One', 'Two']) {
    await log.prompt(question)
    await log.reply('Yes')
  }
  await page.goto(empty.url)
  await turns(page).filter({ hasText: 'One' }).getByRole('link').click()
  await log.prompt('Three')
  await expect(turns(page)).toHaveCount(3)
  await expect(page.getByRole('heading', { name: 'Turn 1' })).toBeVisible()
  await page.getByRole('button', { name: /Pin to latest/ }).click()
  await expect(page.getByRole('heading', { name: 'Turn 3' })).toBeVisible()
})

test('a daemon that went away is waited for, and nothing is lost', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await log.prompt('Before')
  await log.reply('Yes')
  await page.goto(empty.url)
  await expect(turns(page)).toHaveCount(1)
  const port = empty.port
  await empty.kill()
  await expect(page.getByText(/Reconnecting in/)).toBeVisible()
  await log.prompt('Meanwhile')
  await log.reply('Also yes')
  await empty.start(port)
  await expect(turns(page)).toHaveCount(2)
  await expect(page.getByText(/Reconnecting in/)).toBeHidden()
})

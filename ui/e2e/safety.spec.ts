import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { Transcript } from './transcript'

// Put together here, so that no scanner takes it for one.
const secret = 'gh' + 'p_' + 'a1B2c3D4e5F6'.repeat(3)
const evil = [
  `Use ${secret} please.`,
  '[click](javascript:alert(1)) ![p](https://evil.example/p.png) <script>window.owned = 1</script> <img src=x onerror="window.owned = 1">',
  'rm \u202Egpj.exe\u202C \u001b[31mred\u001b[0m',
].join('\n\n')

async function session(home: string): Promise<Transcript> {
  const log = new Transcript(home)
  await log.hold('idle')
  await log.prompt(evil)
  const call = await log.call('Bash', { command: `curl -H "Authorization: token ${secret}" https://example.org` })
  await log.result(call, `you sent ${secret}`)
  await log.reply(evil)
  return log
}

/** Notes whatever the page asks of others, and what its policy refused. */
async function watched(page: Page, own: string): Promise<string[]> {
  const seen: string[] = []
  page.on('request', (r) => !r.url().startsWith(own) && !r.url().startsWith('data:') && seen.push(r.url()))
  await page.addInitScript(() => document.addEventListener('securitypolicyviolation', (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`)))
  return seen
}

test('what stands in a log runs nothing, loads nothing and hides nothing', async ({ page, empty }) => {
  const foreign = await watched(page, empty.url)
  await session(empty.home)
  for (const view of ['live', 'conversation', 'flow']) {
    await page.goto(`${empty.url}/${view}?session=claude:0e2e0000-0000-4000-8000-000000000001&turn=1`)
    await expect(page.getByText('github-pat').first()).toBeVisible()
    await expect(page.locator('body')).not.toContainText(secret)
  }
  await page.goto(`${empty.url}/live?session=claude:0e2e0000-0000-4000-8000-000000000001&turn=1`)
  await expect(page.getByText('rm ⟨U+202E⟩gpj.exe⟨U+202C⟩ red').first()).toBeVisible()
  expect(await page.locator('a[href^="javascript"], main img, main script').count()).toBe(0)
  expect(await page.evaluate(() => (window as unknown as { owned?: number }).owned)).toBeUndefined()
  expect(foreign).toEqual([])
})

test('a secret is shown after a question, and hidden again', async ({ page, empty }) => {
  await session(empty.home)
  await page.goto(`${empty.url}/live?session=claude:0e2e0000-0000-4000-8000-000000000001&turn=1`)
  const overview = page.getByRole('region', { name: 'Overview' })
  const chip = overview.getByRole('button', { name: 'Show what is masked: github-pat' }).first()
  await chip.click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('1 secret in it: github-pat')
  await expect(question.getByRole('button', { name: 'Keep masked' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(overview).not.toContainText(secret)

  await chip.click()
  const answer = page.waitForResponse('**/api/reveal')
  await question.getByRole('button', { name: 'Show secrets' }).click()
  expect((await answer).headers()['cache-control']).toBe('no-store')
  await expect(overview).toContainText(`Use ${secret} please.`)
  await overview.getByRole('button', { name: 'Hide them' }).click()
  await expect(overview).not.toContainText(secret)
})

test('a secret in a conversation is shown after a question', async ({ page, empty }) => {
  await session(empty.home)
  await page.goto(`${empty.url}/conversation?session=claude:0e2e0000-0000-4000-8000-000000000001`)
  const article = page.getByRole('article').filter({ hasText: 'Use' }).last()
  await article.getByRole('button', { name: 'Show what is masked: github-pat' }).first().click()
  await page.getByRole('button', { name: 'Show secrets' }).click()
  await expect(article).toContainText(`Use ${secret} please.`)
})

test('the token is typed once, and stands in no address', async ({ page, guarded }) => {
  await page.goto(guarded.url + '/live')
  await page.getByLabel('Token').fill('wrong-wrong-wrong-wrong')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByLabel('Token').fill(guarded.token)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page).toHaveURL(/\/live/)
  await expect(page).toHaveTitle(/Turnwatch/)

  await page.context().clearCookies()
  // A link on another site, such as a chat: the browser keeps SameSite=Strict cookies from redirects that begin there.
  await page.setContent(`<a href="${guarded.url}/?token=${guarded.token}">open</a>`)
  await page.getByRole('link', { name: 'open' }).click()
  await expect(page).toHaveURL(/\/live/)
  await expect(page.getByRole('navigation').first()).toBeVisible()
  expect(page.url()).not.toContain(guarded.token)
  await page.goBack().catch(() => undefined)
  expect(page.url()).not.toContain(guarded.token)
})

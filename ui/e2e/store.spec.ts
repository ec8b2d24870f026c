import { expect, expectAccessible, test } from './fixtures'

const message = 'the store cannot be written: the disk or a quota is full; make room: nothing is lost, it goes on by itself (disk full)'

test('says across the page that the store cannot be written, and that it goes on', async ({ demo, page }) => {
  let full = true
  await page.route('**/api/health', async (route) => {
    const response = await route.fetch()
    const health = (await response.json()) as { ok: boolean; warnings: object[] }
    if (full) Object.assign(health, { ok: false, warnings: [{ code: 'store', message, count: 3, lastAt: Date.now() }] })
    await route.fulfill({ response, json: health })
  })
  await page.goto(`${demo.url}/live`)
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Nothing new is shown. The store cannot be written: the disk or a quota is full')
  await expectAccessible(page)
  full = false
  await expect(alert).toBeHidden({ timeout: 45_000 }) // asked for every 15 s
})

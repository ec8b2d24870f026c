import { claudeTools, expect, expectAccessible, test } from './fixtures'

const places: [string, string][] = [
  ['overview', '&turn=1'],
  ['calls', '&turn=1&tab=calls'],
  ['round trips', '&turn=1&tab=model'],
  ['raw', '&turn=1&tab=raw'],
  ['an empty filter', '&text=nothing-like-this'],
]

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(colorScheme, () => {
    // A page in the middle of a fade has colours of its own.
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } })

    for (const [name, search] of places) {
      test(`axe finds nothing in ${name}`, async ({ page, demo }) => {
        await page.goto(`${demo.url}/live?session=${claudeTools}${search}`)
        await expect(page.getByRole('region', { name: 'Session', exact: true })).toContainText('11 calls')
        await expect(page.getByRole('region', { name: /^Turn/ }).first()).toBeVisible()
        if (search.includes('calls')) {
          // The key opens the next failed call, once the calls are there.
          await expect(async () => {
            await page.keyboard.press('e')
            await expect(page.getByRole('region', { name: 'Result' }).first()).toBeVisible({ timeout: 2000 })
          }).toPass()
        }
        await expectAccessible(page)
      })
    }

    test('axe finds nothing in dialogs', async ({ page, demo }) => {
      await page.goto(`${demo.url}/live?session=${claudeTools}`)
      await expect(page.getByRole('button', { name: /attach controls/ })).toBeVisible()
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('option').first()).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /attach controls/ }).click()
      await expect(page.getByRole('heading', { name: 'Auto-attach' })).toBeVisible()
      await expectAccessible(page)
    })

    test('axe finds nothing on a phone or an empty home', async ({ page, demo, empty }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`${demo.url}/live?session=${claudeTools}`)
      await expect(page.getByRole('region', { name: 'List of turns' })).toBeVisible()
      await expectAccessible(page)
      await page.goto(`${demo.url}/live?session=${claudeTools}&turn=1`)
      await expect(page.getByRole('heading', { name: 'Turn 1' })).toBeVisible()
      await expectAccessible(page)
      await page.goto(empty.url)
      await expect(page.getByRole('heading', { name: /No agent has left/ })).toBeVisible()
      await expectAccessible(page)
    })
  })
}

import { claudeTools, expect, test } from './fixtures'

const copilot = 'copilot:11111111-2222-4333-8444-555555555555'
const views: { name: string; at: string; ready: RegExp }[] = [
  { name: 'live', at: `/live?session=${claudeTools}&turn=1`, ready: /Turn 1/ },
  { name: 'flow', at: `/flow?session=${claudeTools}&turn=1`, ready: /Turn 1/ },
  { name: 'compare', at: `/compare?a=${claudeTools}&b=${copilot}`, ready: /What differs/ },
  { name: 'insights', at: '/insights?last=5000', ready: /Which tools fail most/ },
  { name: 'conversation', at: `/conversation?session=${claudeTools}`, ready: /Turn 1 finished/ },
]

// The recordings have fixed times, the page its own fonts, and the clock stands still: what differs is a change of the page.
// After one that is meant: npx playwright test e2e/looks.spec.ts --update-snapshots
for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, viewport: { width: 960, height: 600 }, timezoneId: 'UTC', locale: 'en-GB', contextOptions: { reducedMotion: 'reduce' } })

    for (const { name, at, ready } of views) {
      test(`${name} looks as it did`, async ({ page, demo }) => {
        await page.clock.setFixedTime('2026-12-05T12:00:00Z')
        await page.goto(demo.url + at)
        await expect(page.getByText(ready).first()).toBeVisible()
        await expect(page.getByRole('region', { name: /Loading/ })).toHaveCount(0)
        await page.evaluate(() => document.fonts.ready)
        await expect(page).toHaveScreenshot(`${name}-${colorScheme}.png`)
      })
    }
  })
}

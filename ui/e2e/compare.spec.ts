import type { Page } from '@playwright/test'
import { claudeTools, expect, expectAccessible, test } from './fixtures'

const codex = 'codex:01a22c04-aae4-79f1-9be8-044bb0f9fb43'
const copilot = ['copilot:11111111-2222-4333-8444-555555555555', 'copilot:069f6216-56d0-429d-8453-a157e323e0d2']
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const side = (page: Page, name: string) => page.getByRole('region', { name: `Side ${name}` })

test('two sessions are chosen, compared, swapped and remembered', async ({ page, demo }) => {
  await page.goto(`${demo.url}/compare`)
  await expect(page.getByRole('heading', { name: 'Two sides make a comparison' })).toBeVisible()
  await side(page, 'A').getByRole('button', { name: /Choose a session/ }).click()
  await page.getByPlaceholder(/Session for A/).fill('please work')
  await page.getByRole('option', { name: /please work/ }).first().click()
  await page.keyboard.press('c')
  await page.getByPlaceholder(/Session for B/).fill('hello.py')
  await page.getByRole('option', { name: /hello\.py/ }).first().click()
  await expect(page.getByRole('heading', { level: 2 })).toContainText(/^B failed|^Both failed/)
  const a = param(page, 'a')
  const row = page.getByRole('row', { name: /^Tool calls/ })
  await expect(row).toContainText('11')
  await page.getByRole('button', { name: 'Swap A and B' }).click()
  await expect.poll(() => param(page, 'b')).toBe(a)
  await page.goto(`${demo.url}/compare`)
  await page.getByRole('button', { name: 'Recent pairs' }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(2)
  await page.getByRole('menuitem').first().click()
  await expect.poll(() => param(page, 'b')).toBe(a)
})

test('what cannot be subtracted says why', async ({ page, demo }) => {
  await page.goto(`${demo.url}/compare?a=${copilot[0]}&b=${claudeTools}`)
  await expect(page.getByText(/not subtracted: .*never converted into one another/).first()).toBeVisible()
})

test('c in Live compares the turn with another one', async ({ page, demo }) => {
  await page.goto(`${demo.url}/live?session=${copilot[0]}&turn=1`)
  await expect(page.getByRole('heading', { name: 'Turn 1' })).toBeVisible()
  await page.keyboard.press('c')
  await page.getByRole('option', { name: /Another session/ }).click()
  await page.getByPlaceholder(/Session for B/).fill('SCENARIO:tools go')
  await page.getByRole('option', { name: /SCENARIO:tools go/ }).first().click()
  await page.getByRole('option', { name: /^1/ }).click()
  await expect(page.getByRole('heading', { name: 'Which calls were made?' })).toBeVisible()
  await expect(page.getByText('please do the work').last()).toBeVisible()
  await page.getByRole('button', { name: /calls the same in both/ }).click()
  await page.getByRole('list', { name: 'Calls of A and B' }).getByRole('link', { name: /^B: / }).first().click()
  await expect.poll(() => param(page, 'session')).toBe(copilot[1])
  expect(param(page, 'call')).not.toBeNull()
})

test('Diff of a turn and Compare turns… lead here', async ({ page, demo }) => {
  await page.goto(`${demo.url}/live?session=${claudeTools}&turn=1`)
  await page.getByRole('link', { name: 'Compare turns…' }).click()
  await expect.poll(() => param(page, 'turnA')).toBe('1')
  await page.goto(`${demo.url}/live?session=${claudeTools}&turn=2`)
  await page.getByRole('link', { name: 'Diff' }).click()
  await page.getByRole('option', { name: /^1/ }).click()
  await expect(page.getByRole('heading', { level: 2 })).toContainText('Only B called tools: 7 of 11 calls failed')
  await expect(page.getByRole('list', { name: 'Calls of A and B' }).getByRole('listitem')).toHaveCount(11)
})

test('groups are made of filters and show a dot per run', async ({ page, demo }) => {
  await page.goto(`${demo.url}/compare?by=groups`)
  for (const [name, agent] of [['A', 'Claude Code'], ['B', 'Codex']] as const) {
    await side(page, name).getByRole('button', { name: /Choose runs/ }).click()
    await page.getByRole('option', { name: new RegExp(`^agent ${agent}`) }).click()
    await expect(side(page, name)).toContainText(agent)
  }
  await expect(side(page, 'A')).toContainText(/\d+\sruns/)
  await expect(page.getByRole('heading', { level: 2 })).toContainText(/told from \d+ against \d+ runs|n = \d+ vs \d+/)
  const strip = page.getByRole('group', { name: /^Tokens: A \d+ runs, median/ })
  await expect(strip.getByRole('link').first()).toBeVisible()
  // One stop of the Tab key for all dots; arrows go from run to run and across.
  await expect(strip.locator('[tabindex="0"]')).toHaveCount(1)
  await strip.locator('[tabindex="0"]').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  const dot = strip.getByRole('link', { name: /^B: / }).and(page.locator(':focus'))
  await expect(dot).toBeVisible()
  await expect(page.getByRole('tooltip')).toContainText('Open the session')
  await side(page, 'B').getByRole('button', { name: 'Remove agent Codex' }).click()
  await expect(page.getByRole('heading', { name: 'Two sides make a comparison' })).toBeVisible()
})

test('labels are put on a session and make a group', async ({ page, demo }) => {
  await page.goto(`${demo.url}/compare?a=${claudeTools}&b=${codex}`)
  await side(page, 'A').getByRole('button', { name: 'Label', exact: true }).click()
  await page.getByLabel('New label').fill('before')
  await page.keyboard.press('Enter')
  await expect(side(page, 'A').getByRole('button', { name: 'Remove the label before' })).toBeVisible()
  await page.goto(`${demo.url}/compare?groupA=label:before&groupB=agent:codex`)
  await expect(side(page, 'A')).toContainText('1 run')
  await page.goto(`${demo.url}/compare?a=${claudeTools}&b=${codex}`)
  await side(page, 'A').getByRole('button', { name: 'Remove the label before' }).click()
  await expect(side(page, 'A').getByRole('button', { name: /Remove the label/ })).toHaveCount(0)
})

test('the comparison is copied as Markdown', async ({ page, demo, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${demo.url}/compare?a=${claudeTools}&b=${codex}`)
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await expect(page.getByText('Copied the comparison as Markdown')).toBeVisible()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain('| Tool calls | 11 | 15 |')
})

test('a session that is not there is said to be not there', async ({ page, demo }) => {
  await page.goto(`${demo.url}/compare?a=claude:nowhere&b=${codex}`)
  await expect(page.getByRole('heading', { name: 'The two could not be compared' })).toBeVisible()
})

const places: [string, string][] = [
  ['nothing chosen', ''],
  ['sessions', `?a=${claudeTools}&b=${codex}`],
  ['turns', `?a=${copilot[0]}&b=${copilot[1]}&turnA=1&turnB=1`],
  ['groups', '?groupA=agent:claude&groupB=agent:codex'],
]
for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } })

    for (const [name, search] of places) {
      test(`axe finds nothing in Compare with ${name}`, async ({ page, demo }) => {
        await page.goto(`${demo.url}/compare${search}`)
        await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
        await expectAccessible(page)
      })
    }

    test('axe finds nothing in the picker', async ({ page, demo }) => {
      await page.goto(`${demo.url}/compare?by=turns&a=${claudeTools}&turnA=1`)
      await expect(page.getByRole('option', { name: /Another session/ })).toBeVisible()
      await expectAccessible(page)
    })
  })
}

test('a phone holds it', async ({ page, demo }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const search of [`?a=${claudeTools}&b=${codex}`, `?a=${claudeTools}&turnA=1&turnB=2`, '?groupA=agent:claude&groupB=agent:codex']) {
    await page.goto(`${demo.url}/compare${search}`)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  }
  await expectAccessible(page)
})

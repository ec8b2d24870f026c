import type { Page } from '@playwright/test'
import { claudeTools, expect, expectAccessible, test } from './fixtures'
import { Transcript } from './transcript'

const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const graph = (page: Page) => page.getByRole('group', { name: /^Flow of turn/ })
const map = (page: Page) => page.getByRole('group', { name: 'Map of turns' })
const pinned = (page: Page) => page.getByRole('region', { name: /^Pinned/ })
const agents = 'claude:55555555-5555-4555-8555-555555555555'
const loop = 'claude:33333333-3333-4333-8333-333333333333'

test('the three levels show one turn, and picking another moves them all', async ({ page, demo }) => {
  await page.goto(`${demo.url}/flow?session=${claudeTools}`)
  await expect(page.getByRole('heading', { name: /^Turn 2/ })).toBeVisible()
  await expect(page.getByRole('slider', { name: 'Turn' })).toHaveAttribute('aria-valuenow', '2')
  await map(page).getByRole('button', { name: /^Turn 1,/ }).click()
  await expect(page.getByRole('heading', { name: /^Turn 1/ })).toBeVisible()
  await expect(graph(page).getByRole('button', { name: /^Prompt/ })).toBeVisible()
  expect(param(page, 'turn')).toBe('1')
  await page.getByRole('slider', { name: 'Turn' }).press('ArrowRight')
  await expect(map(page).getByRole('button', { name: /^Turn 2,/ })).toHaveAttribute('aria-current', 'true')
})

test('a click pins, arrows walk the edges, Esc unpins, and the URL keeps the place', async ({ page, demo }) => {
  await page.goto(`${demo.url}/flow?session=${claudeTools}&turn=1`)
  await graph(page).getByRole('button', { name: /^Prompt/ }).click()
  await expect(pinned(page)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => param(page, 'call')).not.toBeNull()
  const call = param(page, 'call')
  await expect(pinned(page).getByRole('region', { name: 'Arguments' })).toBeVisible()
  await page.reload()
  await expect(pinned(page)).toBeVisible()
  expect(param(page, 'call')).toBe(call)
  await page.getByRole('region', { name: /^Pinned/ }).getByRole('link', { name: 'Open in Live' }).click()
  await expect(page).toHaveURL(new RegExp(`/live.*call=${call}`))
  await page.goBack()
  await page.keyboard.press('Escape')
  await expect(pinned(page)).toBeHidden()
  expect(param(page, 'call')).toBeNull()
})

test('a flag says why and on what evidence', async ({ page, demo }) => {
  await page.goto(`${demo.url}/flow?session=${claudeTools}&turn=1`)
  await expect(graph(page).getByRole('button', { name: /^Prompt/ })).toBeVisible()
  await page.keyboard.press('e')
  await expect(pinned(page)).toContainText('fail')
  await page.getByRole('toolbar', { name: 'Flow' }).getByRole('button', { name: /^fail/ }).click()
  expect(param(page, 'flag')).toBe('fail')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => param(page, 'flag')).toBeNull()
})

test('a loop is one stack that can be taken apart', async ({ page, demo }) => {
  await page.goto(`${demo.url}/flow?session=${loop}`)
  await expect(graph(page).getByRole('button', { name: /^Bash, 6 times/ })).toBeVisible()
  await graph(page).getByRole('button', { name: 'Show all 6 rounds' }).click()
  await expect(graph(page).getByRole('button', { name: /^Bash/ })).toHaveCount(6)
  await graph(page).getByRole('button', { name: '×6 stack' }).click()
  await expect(graph(page).getByRole('button', { name: /^Bash, 6 times/ })).toBeVisible()
})

test('sub-agents are lanes of the turn and cards of the map', async ({ page, demo }) => {
  await page.goto(`${demo.url}/flow?session=${agents}&turn=1`)
  await expect(graph(page).getByRole('button', { name: /^Task/ })).toHaveCount(2)
  await graph(page).getByRole('button', { name: 'Fold the sub-agent' }).first().click()
  await expect(graph(page).getByRole('button', { name: /^Task/ })).toHaveCount(1)
  await map(page).getByRole('button', { name: /^Sub-agent: Explore repo/ }).click()
  await expect.poll(() => param(page, 'session')).toMatch(/~a0ab6fe7066a04198$/)
})

test('dragging the brush runs through the map, and it stands where the brush was left', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  for (let i = 0; i < 40; i++) {
    await log.prompt(`Step ${i}`)
    await log.result(await log.call('Bash', { command: `step ${i}` }), 'Exit code 1', true)
    await log.reply('Done.')
  }
  await page.goto(`${empty.url}/flow`)
  await expect(map(page).getByRole('button', { name: /^Turn 40,/ })).toBeVisible()
  const box = (await page.getByRole('slider', { name: 'Turn' }).boundingBox())!
  // On a busy machine a pointer can go down before the ribbon's bars stand where they stay.
  await expect(async () => {
    await page.mouse.up()
    await page.mouse.move(box.x + box.width * 0.9, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 8 })
    await expect(map(page).locator('canvas')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await page.mouse.move(box.x + 10, box.y + 40, { steps: 8 })
  await page.mouse.up()
  await expect(map(page).locator('canvas')).toBeHidden()
  await expect(map(page).getByRole('button', { name: /^Turn 1,/ })).toBeInViewport()
  expect(param(page, 'turn')).toBeNull()
})

test('keys fit and zoom, and the help says what they do here', async ({ page, demo }) => {
  await page.goto(`${demo.url}/flow?session=${claudeTools}&turn=1`)
  await expect(graph(page).getByRole('button', { name: /^Prompt/ })).toBeVisible()
  const width = async () => (await graph(page).getByRole('button', { name: /^Prompt/ }).boundingBox())!.width
  const before = await width()
  await page.keyboard.press('+')
  await expect.poll(width).toBeGreaterThan(before * 1.1)
  await page.keyboard.press('f')
  await expect.poll(width).toBeLessThan(before * 1.05)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard' })
  await expect(help).toContainText('Fit map and turn')
  await expect(help).not.toContainText('Filter turns')
})

test('a pinch zooms, on a touchpad and with two fingers', async ({ page, demo }) => {
  await page.goto(`${demo.url}/flow?session=${claudeTools}&turn=1`)
  const prompt = graph(page).getByRole('button', { name: /^Prompt/ })
  await expect(prompt).toBeVisible()
  const width = async () => (await prompt.boundingBox())!.width
  const before = await width()
  const box = (await prompt.boundingBox())!
  const [x, y] = [box.x + 40, box.y + box.height + 4]
  await page.mouse.move(x, y)
  await page.keyboard.down('Control') // what a browser makes of a pinch on a touchpad
  await page.mouse.wheel(0, -120)
  await page.keyboard.up('Control')
  await expect.poll(width).toBeGreaterThan(before * 1.1)
  const zoomed = await width()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.synthesizePinchGesture', { x, y, scaleFactor: 0.6, gestureSourceType: 'touch' })
  await expect.poll(width).toBeLessThan(zoomed * 0.95)
})

test('picking another session stays in the view', async ({ page, demo }) => {
  await page.goto(`${demo.url}/flow?session=${claudeTools}&turn=1`)
  await expect(graph(page).getByRole('button', { name: /^Prompt/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('33333333')
  await page.getByRole('option').first().click()
  await expect(page).toHaveURL(/\/flow\?session=claude%3A33333333/)
  await expect(graph(page).getByRole('button', { name: /^Bash, 6 times/ })).toBeVisible()
})

test('the same by time and as a table', async ({ page, demo }) => {
  await page.goto(`${demo.url}/flow?session=${claudeTools}&turn=1`)
  await page.getByRole('button', { name: 'Time', exact: true }).click()
  await expect(page.getByText(/^Waiting/)).toBeVisible()
  expect(param(page, 'by')).toBe('time')
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(page.getByRole('table', { name: 'Turns of the session' }).getByRole('row')).toHaveCount(3)
  await page.getByRole('table', { name: /^Flow of turn 1/ }).getByRole('button', { name: 'Bash' }).first().click()
  await expect(pinned(page)).toBeVisible()
})

test('what comes does not move what is there', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  await log.hold('busy')
  await log.prompt('Fix the flaky test')
  for (let i = 0; i < 3; i++) await log.result(await log.call('Bash', { command: `step ${i}` }), 'ok')
  await page.goto(`${empty.url}/flow`)
  const last = graph(page).getByRole('button', { name: /^Bash, step 2/ })
  await expect(last).toBeVisible()
  const before = await last.boundingBox()
  const call = await log.call('Bash', { command: 'step 3' })
  await expect(graph(page).getByRole('button', { name: /^Bash, step 3, running/ })).toBeVisible()
  await log.result(call, 'Exit code 1\n2 failed', true)
  await expect(graph(page).getByRole('button', { name: /^Bash, step 3/ })).not.toHaveAccessibleName(/running/)
  expect(await last.boundingBox()).toEqual(before)
  await log.reply('Done.')
  await expect(graph(page).getByRole('button', { name: /^Response, Done/ })).toBeVisible()
})

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } })
    for (const [name, session, search] of [
      ['the graph', claudeTools, '&turn=1&call=0'],
      ['lanes', agents, '&turn=1'],
      ['a stack', loop, ''],
      ['the filter', claudeTools, '&turn=1&flag=fail'],
      ['the waterfall', claudeTools, '&turn=1&by=time'],
      ['the table', claudeTools, '&turn=1&table=true'],
    ] as const) {
      test(`axe finds nothing in ${name}`, async ({ page, demo }) => {
        await page.goto(`${demo.url}/flow?session=${session}${search}`)
        await expect(page.getByRole('heading', { name: /^Turn 1/ })).toBeVisible()
        await expect(page.getByRole('button', { name: /Prompt|Response/ }).first()).toBeVisible()
        await expectAccessible(page)
      })
    }

    test('axe finds nothing on a phone', async ({ page, demo }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`${demo.url}/flow?session=${claudeTools}`)
      await expect(map(page).getByRole('button').first()).toBeVisible()
      await expectAccessible(page)
      await map(page).getByRole('button', { name: /^Turn 1,/ }).click()
      await expect(graph(page).getByRole('button', { name: /^Prompt/ })).toBeVisible()
      await expectAccessible(page)
    })
  })
}

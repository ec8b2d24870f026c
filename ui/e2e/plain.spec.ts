import { Daemon } from './daemon'
import { claudeTools, expect, expectAccessible, test } from './fixtures'

// What somebody who sees the page for the first time needs to be told.
const grok = 'grok:aaaaaaaa-2222-4333-8444-555555555555'
const gemini = 'gemini:eb82015e-d52f-4d8b-aac9-6617b4feb010'
const muse = 'muse:01a0f000-0000-7000-8000-000000000004'
const antigravity = 'antigravity:c0ffee00-0000-4000-8000-000000000003'

test('a conversation says how a turn ended and why, and leads to it', async ({ page, demo }) => {
  await page.goto(`${demo.url}/conversation?session=${grok}`)
  const failed = page.getByRole('note', { name: 'Outcome of turn 3' })
  await expect(failed).toContainText('Turn 3 failed')
  await expect(failed).toContainText('status 400 Bad Request')
  await expect(page.getByRole('note', { name: 'Outcome of turn 1' })).toContainText(/fail\s*×6/)
  await expect(page.getByRole('note', { name: 'Outcome of turn 2' })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Turn 2' })).toContainText('2,181 tok')
  await expectAccessible(page)
  await failed.getByRole('link').click()
  await expect(page).toHaveURL(/\/live\?.*turn=3/)
})

test('the header names the agent and says which numbers count sub-agents', async ({ page, demo }) => {
  const header = page.getByRole('region', { name: 'Session', exact: true })
  await page.goto(`${demo.url}/live?session=${gemini}`)
  await expect(header).toContainText('Gemini CLI')
  await expect(header).toContainText(/1\sturn\s*with 2\ssub-agents:\s*6\scalls/)
  await page.goto(`${demo.url}/live?session=${claudeTools}`)
  await expect(header).toContainText('Claude Code')
  await expect(header).toContainText('11 calls')
  await expect(header).not.toContainText('sub-agent')
})

for (const width of [1440, 390]) {
  test(`the folders of an agent can be told apart at ${width} px`, async ({ page, empty }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(empty.url)
    const places = page.getByRole('listitem').filter({ hasText: 'Antigravity' }).getByRole('listitem')
    await expect(places).toHaveCount(3)
    // The last letters of each path are within its box.
    const ends = await places.locator('[data-tip]').evaluateAll((all) =>
      all.map((el) => {
        const text = document.createTreeWalker(el, NodeFilter.SHOW_TEXT).nextNode()!
        const range = document.createRange()
        range.setStart(text, text.textContent!.length - 8)
        range.setEnd(text, text.textContent!.length)
        const [own, box] = [range.getBoundingClientRect(), el.getBoundingClientRect()]
        return [range.toString(), own.left >= box.left && own.right <= box.right + 1]
      }),
    )
    expect(ends).toEqual([['igravity', true], ['vity-cli', true], ['vity-ide', true]])
  })
}

test('pages about several agents say once whose numbers are unverified', async ({ page, demo }) => {
  const note = page.getByText(/never checked against the real program/)
  await page.goto(`${demo.url}/compare?a=${antigravity}&b=${muse}`)
  await expect(note).toHaveCount(1)
  await expect(note).toContainText('Antigravity and Muse')
  await page.goto(`${demo.url}/insights?last=5000`)
  await expect(note).toHaveCount(1)
  await page.goto(`${demo.url}/insights?last=5000&agent=claude`)
  await expect(page.getByText('Which tools fail most?')).toBeVisible()
  await expect(note).toHaveCount(0)
})

test('what a model wrote is output; only the cache is written to', async ({ page, demo }) => {
  await page.goto(`${demo.url}/insights?last=5000`)
  await expect(page.getByText(/\boutput$/).first()).toBeVisible()
  await expect(page.getByText(/\bwritten$/)).toHaveCount(0)
})

test('the handle of a sub-agent covers nothing of the prompt that it hangs on', async ({ page, demo }) => {
  await page.goto(`${demo.url}/flow?session=${muse}&turn=1`)
  const prompt = page.locator('button[data-node]').filter({ hasText: 'Check both halves' })
  const handle = page.getByRole('button', { name: 'Fold the sub-agent' }).first()
  await expect(handle).toBeVisible()
  const [pill, time] = [await handle.boundingBox(), await prompt.getByText('8.3 s').last().boundingBox()]
  expect(time!.x + time!.width).toBeLessThanOrEqual(pill!.x)
})

test('the demo begins with a session that shows something', async ({ page }) => {
  const demo = await Daemon.demo() // one that no other test has detached
  try {
    await page.goto(demo.url)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Read two files and build')
  } finally {
    await demo.stop()
  }
})

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Daemon } from './daemon'
import { expect, test } from './fixtures'
import { Transcript } from './transcript'

const token = 'a-token-of-this-test'

/** Fires hooks of the transcript's session as an agent does whose hooks are installed. */
async function hooksOf(daemon: Daemon, log: Transcript) {
  const dir = join(daemon.dir, 'data')
  await mkdir(dir, { recursive: true })
  await writeFile(join(dir, 'hooks.json'), JSON.stringify({ version: 1, tokens: { claude: token }, installs: [] }))
  return async (event: string, more: Record<string, unknown> = {}) => {
    const body = JSON.stringify({ session_id: log.session, transcript_path: '/x.jsonl', cwd: '/home/dev/app', hook_event_name: event, ...more })
    const headers = { 'X-Turnwatch-Token': token, 'Content-Type': 'application/json' }
    const answer = await fetch(`${daemon.url}/hook/claude/${event}`, { method: 'POST', headers, body })
    expect([answer.status, await answer.text()]).toEqual([204, ''])
  }
}

const bash = (command: string, call: string) => ({ tool_name: 'Bash', tool_input: { command, description: 'runs it' }, tool_use_id: call })
const chips = (page: Page) => page.getByRole('list', { name: 'Running calls' }).getByRole('listitem')

test('a chip appears with the hook, is one with the log’s call, and goes with the hook', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  const hook = await hooksOf(empty, log)
  await log.hold('busy')
  await log.prompt('Fix the flaky test')
  await page.goto(empty.url)
  await expect(page.getByRole('region', { name: 'In progress' })).toBeVisible()
  await expect(chips(page)).toHaveCount(0)

  await hook('PreToolUse', bash('npm test', 'toolu_e2e1'))
  await expect(chips(page)).toHaveText([/Bash.*npm test.*\d\ss/])
  await expect(chips(page).getByRole('button')).toBeDisabled() // the log has nothing to open yet
  await log.call('Bash', { command: 'npm test', description: 'runs it' }, 'toolu_e2e1')
  await expect(chips(page).getByRole('button')).toBeEnabled()
  await expect(chips(page)).toHaveCount(1)
  await expect(chips(page)).toContainText(/[1-9]\d*\ss/) // the clock ticks
  await chips(page).getByRole('button').click()
  await expect(page).toHaveURL(/turn=1.*tab=calls.*call=0/)

  await hook('PostToolUse', bash('npm test', 'toolu_e2e1'))
  await expect(chips(page)).toHaveCount(0)
  await log.result('toolu_e2e1', '2 passed')
  await expect(page.getByText('2 passed').first()).toBeVisible()
  await expect(chips(page)).toHaveCount(0)
})

test('a call that waits for a human says so, here and in the lists of sessions', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  const hook = await hooksOf(empty, log)
  await log.hold('busy')
  await log.prompt('Clean up')
  await page.goto(empty.url)
  await expect(page.getByRole('region', { name: 'In progress' })).toBeVisible()
  await hook('PreToolUse', bash('npm run build', 'toolu_e2e2'))
  await hook('PreToolUse', bash('rm -rf dist', 'toolu_e2e3'))
  await hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'rm -rf dist', description: 'runs it' } })
  await expect(chips(page).filter({ hasText: 'rm -rf dist' })).toContainText('waiting for you')
  await expect(chips(page).filter({ hasText: 'npm run build' })).not.toContainText('waiting')

  await page.getByRole('button', { name: /^live/ }).click()
  await expect(page.getByRole('menuitem').getByRole('img', { name: 'Bash waits for you, and 1 more' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('option').getByRole('img', { name: 'Bash waits for you, and 1 more' })).toBeVisible()
  await hook('Stop')
  await expect(page.getByRole('option').getByRole('img', { name: /Bash/ })).toHaveCount(0)
})

test('chips that came while the page was away are there when it is back', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  const hook = await hooksOf(empty, log)
  await log.hold('busy')
  await log.prompt('Build it')
  await log.call('Bash', { command: 'make' }, 'toolu_e2e4')
  await hook('PreToolUse', bash('make', 'toolu_e2e4'))
  await page.goto(empty.url)
  await expect(chips(page)).toContainText(['make'])
  await page.context().setOffline(true)
  await hook('PostToolUse', bash('make', 'toolu_e2e4'))
  await hook('PreToolUse', bash('make install', 'toolu_e2e5'))
  await page.context().setOffline(false)
  await page.reload()
  await expect(chips(page)).toContainText(['make install'])
})

test('nothing moves for whoever wants no motion', async ({ page, empty }) => {
  const log = new Transcript(empty.home)
  const hook = await hooksOf(empty, log)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await log.hold('busy')
  await log.prompt('Build it')
  await hook('PreToolUse', bash('make', 'toolu_e2e6'))
  await page.goto(empty.url)
  const icon = chips(page).locator('svg')
  await expect(icon).toBeVisible()
  expect(await icon.evaluate((el) => getComputedStyle(el).animationIterationCount)).toBe('1')
})

import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Daemon } from './daemon'
import { claudeTools, expect, expectAccessible, test } from './fixtures'
import { Transcript } from './transcript'

const dialog = (page: Page) => page.getByRole('dialog')
const agent = (page: Page, name: string) => dialog(page).getByRole('listitem', { name })

/** A session at work in a repository, shown by the page. */
async function repository(page: Page, daemon: Daemon): Promise<string> {
  const repo = join(daemon.dir, 'repo')
  await mkdir(join(repo, '.git'), { recursive: true })
  const log = new Transcript(daemon.home, repo)
  await log.prompt('Say hello')
  await log.reply('Hello!')
  await page.goto(daemon.url)
  await expect(page.getByRole('button', { name: /^Hooks/ })).toHaveAccessibleName('Hooks: not installed')
  return repo
}

test('hooks are installed and taken out again, with the changes shown before', async ({ page, empty }) => {
  const repo = await repository(page, empty)
  const file = join(repo, '.claude', 'settings.local.json')
  const before = '{\n    "env": {"A": "1"} // mine\n}\n'
  await mkdir(join(repo, '.claude'))
  await writeFile(file, before)

  await page.getByRole('button', { name: /^Hooks/ }).click()
  await expect(agent(page, 'Claude Code')).toContainText('not installed')
  await expect(agent(page, 'Claude Code')).toContainText('.claude/settings.local.json')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Install… Claude Code' }).click()
  const changes = dialog(page).getByRole('region', { name: 'Changes for Claude Code' })
  await expect(changes).toContainText('PreToolUse')
  await expect(changes).toContainText('"env": {"A": "1"}, // mine')
  expect(await readFile(file, 'utf8')).toBe(before)
  await expectAccessible(page)

  await dialog(page).getByRole('button', { name: 'Install', exact: true }).click()
  await expect(agent(page, 'Claude Code')).toContainText('installed')
  await expect(agent(page, 'Claude Code').getByRole('button')).toHaveText('Uninstall…')
  expect(await readFile(file, 'utf8')).toContain('turnwatch-hook claude PreToolUse')

  await agent(page, 'Claude Code').getByRole('button').click()
  await expect(dialog(page).getByRole('region', { name: 'Changes for Claude Code' })).toContainText('PreToolUse')
  await dialog(page).getByRole('button', { name: 'Uninstall', exact: true }).click()
  await expect(agent(page, 'Claude Code')).toContainText('not installed')
  expect(await readFile(file, 'utf8')).toBe(before)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Hooks/ })).toHaveAccessibleName('Hooks: not installed')
})

test('a foreign file is moved aside and comes back; a broken one says where it is broken', async ({ page, empty }) => {
  const repo = await repository(page, empty)
  const foreign = join(repo, '.github', 'hooks', 'turnwatch.json')
  await mkdir(join(repo, '.github', 'hooks'), { recursive: true })
  await writeFile(foreign, '{"version": 1}\n')
  await mkdir(join(repo, '.claude'))
  await writeFile(join(repo, '.claude', 'settings.local.json'), '{\n  "hooks": []\n}\n')

  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Install or uninstall hooks' }).click()
  await expect(agent(page, 'Claude Code')).toContainText('cannot be read')
  await expect(agent(page, 'Claude Code')).toContainText('"hooks" is no object')
  await expect(agent(page, 'Claude Code').getByRole('button')).toHaveCount(0)
  await agent(page, 'Copilot CLI').getByRole('button', { name: /Move aside and install/ }).click()
  await dialog(page).getByRole('button', { name: 'Move aside and install' }).click()
  await expect(agent(page, 'Copilot CLI')).toContainText('installed')
  await agent(page, 'Copilot CLI').getByRole('button').click()
  await expect(dialog(page)).toContainText('comes back')
  await dialog(page).getByRole('button', { name: 'Uninstall', exact: true }).click()
  await expect(agent(page, 'Copilot CLI')).toContainText('foreign file')
  expect(await readFile(foreign, 'utf8')).toBe('{"version": 1}\n')
})

test('Codex waits for its user’s trust, and all sessions can have hooks at once', async ({ page, empty }) => {
  await repository(page, empty)
  for (const home of ['.codex', '.copilot']) await mkdir(join(empty.home, home), { recursive: true })
  await page.getByRole('button', { name: /^Hooks/ }).click()
  await dialog(page).getByRole('button', { name: 'Install… Codex' }).click()
  await dialog(page).getByRole('button', { name: 'Install', exact: true }).click()
  await expect(agent(page, 'Codex')).toContainText('waits for your trust')
  await expect(agent(page, 'Codex')).toContainText('Hooks need review')

  await dialog(page).getByRole('button', { name: 'All my sessions' }).click()
  await expect(agent(page, 'Claude Code')).toContainText(`${empty.home}/.claude/settings.json`)
  await dialog(page).getByRole('button', { name: 'Install for 3 agents…' }).click()
  await expect(dialog(page).getByRole('region', { name: /^Changes for/ })).toHaveCount(3)
  await dialog(page).getByRole('button', { name: 'Install', exact: true }).click()
  await expect(agent(page, 'Copilot CLI')).toContainText('installed')
  expect(existsSync(join(empty.home, '.copilot', 'hooks', 'turnwatch.json'))).toBe(true)
  await dialog(page).getByRole('button', { name: 'Uninstall all…' }).click()
  await dialog(page).getByRole('button', { name: 'Uninstall', exact: true }).click()
  await expect(agent(page, 'Copilot CLI')).toContainText('not installed')
  expect(existsSync(join(empty.home, '.copilot', 'hooks'))).toBe(false)
})

test('a folder that is not there says so, and the demo changes nothing', async ({ page, demo }) => {
  await page.goto(`${demo.url}/live?session=${claudeTools}`)
  await page.getByRole('button', { name: 'Hooks', exact: true }).click()
  await expect(dialog(page)).toContainText('No hooks can be put here')
  await dialog(page).getByRole('button', { name: 'All my sessions' }).click()
  await dialog(page).getByRole('button', { name: 'Install… Claude Code' }).click()
  await dialog(page).getByRole('button', { name: 'Install', exact: true }).click()
  await expect(page.getByText('the demo changes no files of yours')).toBeVisible()
})

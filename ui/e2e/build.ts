import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')
export const binary = process.env['TURNWATCH_BIN'] ?? join(root, 'bin', 'turnwatch')

/** Builds the program that the tests drive, with the page as it stands in ui/dist. */
// eslint-disable-next-line no-restricted-syntax -- Playwright takes the default export
export default function build(): void {
  if (process.env['TURNWATCH_BIN']) return
  execFileSync('go', ['build', '-o', binary, './cmd/turnwatch'], { cwd: root, stdio: 'inherit', env: { ...process.env, CGO_ENABLED: '0' } })
}

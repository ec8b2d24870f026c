import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/build.ts',
  // Generous: the browser draws in software, on machines that do other things at the same time.
  timeout: 60_000,
  expect: {
    timeout: 15_000,
    // Browsers of other versions draw letters a little differently; a moved row is more than this.
    toHaveScreenshot: { animations: 'disabled', caret: 'hide', threshold: 0.25, maxDiffPixelRatio: 0.015 },
  },
  snapshotPathTemplate: '{testDir}/looks/{arg}{ext}',
  workers: process.env['CI'] ? 1 : 2,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list']],
  use: {
    colorScheme: 'dark',
    viewport: { width: 1440, height: 900 },
    trace: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})

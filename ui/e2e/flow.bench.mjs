// Measures the Flow view on a session of 5,000 calls: first paint, and frames per second while panning.
//   TURNWATCH_BIN=bin/turnwatch node e2e/flow.bench.mjs
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { LONG_SESSION, writeLongSession } from './flow-corpus.mjs'

const RUNS = 5
const PAN_MS = 3000
const binary = process.env.TURNWATCH_BIN ?? join(import.meta.dirname, '..', '..', 'bin', 'turnwatch')
const dir = mkdtempSync(join(tmpdir(), 'turnwatch-bench-'))
writeLongSession(join(dir, 'home'))

const daemon = spawn(binary, ['serve', '--no-browser', '--port', '0', '--home', join(dir, 'home'), '--data-dir', join(dir, 'data')], { env: { PATH: process.env.PATH, HOME: dir } })
const url = await new Promise((resolve, reject) => {
  let output = ''
  const read = (chunk) => {
    output += String(chunk)
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)
    if (found) resolve(found[0])
  }
  daemon.stdout.on('data', read)
  daemon.stderr.on('data', read)
  daemon.once('exit', () => reject(new Error(output)))
})
while (!(await fetch(`${url}/api/health`).then((r) => r.json(), () => ({}))).ready) await new Promise((r) => setTimeout(r, 100))

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
const cdp = await page.context().newCDPSession(page)
await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
const session = `claude:${LONG_SESSION}`

/** Seconds of CPU that the page's main thread has used, however busy the machine is with other things. */
async function worked() {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find((m) => m.name === 'TaskDuration').value
}

/**
 * First paint, in milliseconds from where the navigation starts: until the first frame has been drawn that shows both
 * the ribbon's canvas with its data and the cards of the map (the turn beside them comes right after; `all` waits for it
 * too). "Drawn" is the beginning of the frame after it: a frame's own callbacks run before it is painted.
 */
const watch = `
  window.painted = (start) => new Promise((resolve) => {
    const result = {}
    const has = {
      first: () => document.querySelector('[role=slider] canvas')?.width > 300 && document.querySelectorAll('[data-node^="t"]').length > 3,
      all: () => document.querySelector('[aria-label^="Flow of turn"] [data-node]'),
    }
    let seen = []
    const frame = () => {
      for (const name of seen) result[name] ??= Math.round(performance.now() - start)
      if (result.first && result.all) return resolve(result)
      seen = Object.keys(has).filter((name) => has[name]())
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })`

/** From a click on the tab in a page that shows the session; the pointer came to the tab before. */
async function firstPaint() {
  await page.goto(`${url}/live?session=${session}`)
  await page.getByRole('region', { name: 'List of turns' }).getByRole('listitem').first().waitFor()
  await page.waitForTimeout(1500)
  await page.hover('a[href^="/flow"]')
  await page.waitForTimeout(400)
  const before = await worked()
  const ms = await page.evaluate(`${watch}; const start = performance.now(); document.querySelector('a[href^="/flow"]').click(); window.painted(start)`)
  return { ...ms, worked: Math.round((await worked()) * 1000 - before * 1000) }
}

/** From opening the address, with the code in the browser's cache: it is started, the data is asked for and drawn. */
async function loadPaint() {
  await page.goto(`${url}/live?session=${session}`)
  await page.getByRole('region', { name: 'List of turns' }).getByRole('listitem').first().waitFor()
  await page.goto(`${url}/flow?session=${session}`, { waitUntil: 'commit' })
  return page.evaluate(`${watch}; window.painted(0)`)
}

/** Frames per second and the longest frame while the wheel turns over a sheet. */
async function pan(label) {
  const before = await worked()
  const result = await page.evaluate(
    async ([name, ms]) => {
      const pane = document.querySelector(`[aria-label="${name}"] .react-flow__pane`) ?? document.querySelector(`[aria-label="${name}"] .react-flow__renderer`)
      const box = pane.getBoundingClientRect()
      const start = performance.now()
      let frames = 0
      let last = start
      let worst = 0
      while (performance.now() - start < ms) {
        const way = Math.floor((performance.now() - start) / 1500) % 2 === 0 ? -1 : 1
        pane.dispatchEvent(new WheelEvent('wheel', { deltaY: 40 * way, clientX: box.x + 40, clientY: box.y + 40, bubbles: true, cancelable: true }))
        const now = await new Promise((resolve) => requestAnimationFrame(resolve))
        frames += 1
        worst = Math.max(worst, now - last)
        last = now
      }
      return { fps: Math.round((frames * 1000) / (performance.now() - start)), worst: Math.round(worst), nodes: document.querySelectorAll('*').length }
    },
    [label, PAN_MS],
  )
  const frames = (result.fps * PAN_MS) / 1000
  return { ...result, workedPerFrameMs: Math.round((((await worked()) - before) * 10_000) / frames) / 10 }
}

/** The same while the brush is dragged along the ribbon, which moves the map below it. */
async function drag() {
  return page.evaluate(async (ms) => {
    const ribbon = document.querySelector('[role=slider]')
    const box = ribbon.getBoundingClientRect()
    const fire = (type, x) => ribbon.dispatchEvent(new PointerEvent(type, { clientX: box.x + x, clientY: box.y + 30, button: 0, pointerId: 1, bubbles: true }))
    ribbon.setPointerCapture = () => undefined
    fire('pointerdown', 20)
    const start = performance.now()
    let frames = 0
    while (performance.now() - start < ms) {
      fire('pointermove', 20 + ((performance.now() - start) / ms) * (box.width - 40))
      await new Promise((resolve) => requestAnimationFrame(resolve))
      frames += 1
    }
    fire('pointercancel', 0)
    return { fps: Math.round((frames * 1000) / (performance.now() - start)) }
  }, PAN_MS)
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]
const load = () => `load ${loadavg()[0].toFixed(1)}`
async function paints(label, run) {
  const results = []
  for (let i = 0; i < RUNS; i++) results.push(await run())
  const list = (name) => results.map((r) => r[name])
  console.log(label, list('first').join(' '), '· median', median(list('first')), '· with the turn', median(list('all')), results[0].worked === undefined ? '' : `· main thread worked ${median(list('worked'))}`, '·', load())
}
await paints('first paint ms, from a click', firstPaint)
await paints('first paint ms, from the address', loadPaint)
await page.waitForTimeout(500)
console.log('map', JSON.stringify(await pan('Map of turns')), load())
console.log('brush', JSON.stringify(await drag()), load())
await page.goto(`${url}/flow?session=${session}&turn=26&by=graph`)
await page.locator('[aria-label^="Flow of turn"] [data-node]').first().waitFor()
await page.waitForTimeout(500)
console.log('turn of 150 calls', JSON.stringify(await pan('Flow of turn 26')), load())

await browser.close()
daemon.kill()
rmSync(dir, { recursive: true, force: true })

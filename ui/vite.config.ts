import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Writes a .gz beside every text file of the build, so that the daemon never compresses while it serves. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      const dist = join(import.meta.dirname, 'dist')
      for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|html|svg)$/.test(entry.name)) continue
        const file = join(entry.parentPath, entry.name)
        const data = readFileSync(file)
        if (data.length > 1024) writeFileSync(`${file}.gz`, gzipSync(data, { level: 9 }))
      }
    },
  }
}

const FIRST_VIEW_BYTES = 180_000

/** Fails the build when the scripts that the page loads before it shows anything, compressed, are more than the budget. */
function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const parts = new Map<string, number>()
      const visit = (name: string): void => {
        const chunk = bundle[name]
        if (chunk?.type !== 'chunk' || parts.has(name)) return
        parts.set(name, gzipSync(chunk.code, { level: 9 }).length)
        chunk.imports.forEach(visit)
      }
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk' && chunk.isEntry) visit(chunk.fileName)
      const total = [...parts.values()].reduce((a, b) => a + b, 0)
      if (total <= FIRST_VIEW_BYTES) return
      const list = [...parts].sort((a, b) => b[1] - a[1]).map(([name, size]) => `${size} ${name}`)
      this.error(`The first view loads ${total} bytes of script, ${FIRST_VIEW_BYTES} are the budget:\n${list.join('\n')}`)
    },
  }
}

// The daemon that `npm run dev` talks to.
const daemon = process.env['TURNWATCH_URL'] ?? 'http://127.0.0.1:4174'

export default defineConfig({
  plugins: [react(), tailwindcss(), budget(), precompress()],
  resolve: { alias: { '@': join(import.meta.dirname, 'src') } },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      '/api': { target: daemon, changeOrigin: true },
      '/ws': { target: daemon, ws: true, changeOrigin: true },
    },
  },
  build: { outDir: 'dist', emptyOutDir: true, sourcemap: false, target: 'es2022', modulePreload: { polyfill: false } },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
  },
})

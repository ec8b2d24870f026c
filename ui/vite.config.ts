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

// The daemon that `npm run dev` talks to.
const daemon = process.env['TURNWATCH_URL'] ?? 'http://127.0.0.1:4174'

export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
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

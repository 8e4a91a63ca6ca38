import react from '@vitejs/plugin-react'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

// The one switch: with SLUICE_DIST=1 the package's public names resolve to dist, so that the same
// tests run against what is shipped.
const source = process.env['SLUICE_DIST'] === '1' ? [] : ['sluice/source']

// Vite drops its defaults when it is given a bare list.
const clientConditions = [...source, ...defaultClientConditions]
const serverConditions = [...source, ...defaultServerConditions]

const slow = { testTimeout: 60_000, hookTimeout: 120_000, maxWorkers: 1 }

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: clientConditions },
  ssr: { resolve: { conditions: serverConditions } },
  build: {
    // New enough to leave light-dark(), nesting and logical properties as they were written.
    target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/{browser,stories,package}/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...slow,
          name: 'browser',
          include: ['test/browser/**/*.test.{ts,tsx}'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...slow,
          name: 'stories',
          include: ['test/stories/**/*.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          ...slow,
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})

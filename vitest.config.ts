import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['own-source'] },
  ssr: { resolve: { conditions: ['own-source'] } },
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    // Soaks take minutes to hours and measure; `npm test` runs none of them.
    include: process.env['SOAK'] === undefined ? ['tests/**/*.test.ts'] : ['tests/soak/*.soak.ts'],
    globalSetup: ['tests/global-setup.ts'],
    testTimeout: 180_000,
    // Two cores: the engine's own children already use them.
    maxWorkers: 2,
  },
})

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** On a machine that is busy with other things a page or a database may miss its moment; the report names what passed only at the second try. */
const RETRIES = 1

export default defineConfig({
  resolve: { conditions: ['own-source'] },
  ssr: { resolve: { conditions: ['own-source'] } },
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    // Soaks take minutes to hours and measure; `npm test` runs none of them.
    include: process.env['SOAK'] === undefined ? ['tests/**/*.test.ts'] : ['tests/soak/*.soak.ts'],
    globalSetup: ['tests/global-setup.ts'],
    testTimeout: 180_000,
    // One more than the machine has cores: tests wait more than they compute.
    maxWorkers: 3,
    retry: RETRIES,
  },
})

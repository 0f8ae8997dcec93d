import { join } from 'node:path'
import { ensureDebian, ensurePackages, root, show } from './setup.mjs'

ensurePackages()
ensureDebian({ pg_ctlcluster: 'postgresql' })
// All that opens a database, the page's tests included; `npm test` has only the server's, without those whose time is the engine's.
const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'postgres', ...process.argv.slice(2)]
process.exitCode = show(process.execPath, words, { ...process.env, TEST_POSTGRES: 'all' })

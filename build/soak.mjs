import { join } from 'node:path'
import { ensurePackages, root, show } from './setup.mjs'

ensurePackages()
// Long measurements and kill tests, run by vitest for its setup and its fixtures: `node build/soak.mjs crash`.
const [, , name = ''] = process.argv
const status = show(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', name, '--reporter=verbose', '--disable-console-intercept'],
  {
    ...process.env,
    SOAK: '1',
  },
)
process.exitCode = status

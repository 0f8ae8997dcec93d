import { ensurePackages } from './setup.mjs'

ensurePackages()
const { build } = await import('./build.mjs')
await build()
await import('../dist/server/restore.js')

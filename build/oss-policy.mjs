import { compile } from './compile.mjs'
import { ensurePackages } from './setup.mjs'
import { inTurn } from './turn.mjs'

ensurePackages()
await inTurn(compile)
await import('../dist/server/oss-policy.js')

#!/usr/bin/env node
import { ensurePackages } from './setup.mjs'

ensurePackages()
const [{ compile }, { inTurn }] = await Promise.all([import('./compile.mjs'), import('./turn.mjs')])
await inTurn(compile)
await import('#engine/cli/main')

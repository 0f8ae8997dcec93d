#!/usr/bin/env node
import { ensurePackages } from './setup.mjs'

ensurePackages()
const { compile } = await import('./compile.mjs')
compile()
await import('#engine/cli/main')

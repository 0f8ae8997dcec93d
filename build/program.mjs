import { ensurePackages } from './setup.mjs'

ensurePackages()
const { build } = await import('./build.mjs')
await build()
// What it is given is what comes after its name.
const [name] = process.argv.splice(2, 1)
await import(`../dist/server/${name}.js`)

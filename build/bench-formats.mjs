import { compile } from './compile.mjs'
import { ensureDebian, ensurePackages } from './setup.mjs'

ensurePackages()
compile()
ensureDebian({ convert: 'imagemagick' })
const { benchFormats } = await import('../tests/bench/formats.mjs')
await benchFormats(process.argv.slice(2))

import { compile } from './compile.mjs'
import { ensureDebian, ensurePackages } from './setup.mjs'
import { inTurn } from './turn.mjs'

ensurePackages()
await inTurn(compile)
const present = ensureDebian({ convert: 'imagemagick', jpegoptim: 'jpegoptim', pngquant: 'pngquant' })
const { bench } = await import('../tests/bench/compress.mjs')
await bench(present)

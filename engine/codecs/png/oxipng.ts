import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import init, { optimise } from '@jsquash/oxipng/codec/pkg/squoosh_oxipng.js'

let ready: Promise<unknown> | undefined

// Node's fetch cannot read file URLs, so the module is read from disk and handed to its init.
const load = async (): Promise<void> => {
  const path = createRequire(import.meta.url).resolve('@jsquash/oxipng/codec/pkg/squoosh_oxipng_bg.wasm')
  await init(await readFile(path))
}

/** The smaller of `file` and oxipng's losslessly recompressed copy at `level` (0 fastest to 6). Wasm memory holds the raw picture some 3 times. */
export const recompress = async (file: Buffer, level: number): Promise<Buffer> => {
  ready ??= load()
  await ready
  const smaller = Buffer.from(optimise(file, level, false, true))
  return smaller.length < file.length ? smaller : file
}

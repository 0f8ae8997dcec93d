import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { root } from './setup.mjs'

const TEXT = /\.(html|css|js|svg|json|webmanifest)$/

/** Puts the page's files into dist/site, each text with its brotli form beside it, so that none is compressed while a visitor waits. */
export function buildSite() {
  const site = join(root, 'dist', 'site')
  rmSync(site, { recursive: true, force: true })
  mkdirSync(site, { recursive: true })
  cpSync(join(root, 'renderer'), site, { recursive: true })
  for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
    const path = join(site, name)
    if (!TEXT.test(name) || !statSync(path).isFile()) continue
    const text = readFileSync(path)
    writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }))
  }
}

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'
import { root } from './setup.mjs'

const TEXT = /\.(html|css|js|svg|txt|json|webmanifest)$/

/** Builds the page into dist/site, each text with its brotli form beside it, so that none is compressed while a visitor waits. */
export async function buildSite() {
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
  const site = join(root, 'dist', 'site')
  for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
    const path = join(site, name)
    if (!TEXT.test(name) || !statSync(path).isFile()) continue
    const text = readFileSync(path)
    writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }))
  }
}

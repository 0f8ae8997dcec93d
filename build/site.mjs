import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { root, runStep } from './setup.mjs'

/** What pdf.js fetches beside a file: tables of Chinese codes, fonts, decoders. */
const PDFJS_FOLDERS = ['cmaps', 'standard_fonts', 'wasm', 'iccs']

const TEXT = /\.(html|css|js|svg|txt|json|webmanifest)$/

/** Builds the page into dist/site, each text with its brotli form beside it, so that none is compressed while a visitor waits. */
export function buildSite() {
  // In a process of its own: under a test runner's NODE_ENV React would be built for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  runStep('页面构建', [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], env)
  const site = join(root, 'dist', 'site')
  for (const name of PDFJS_FOLDERS) cpSync(join(root, 'node_modules/pdfjs-dist', name), join(site, 'pdfjs', name), { recursive: true })
  for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
    const path = join(site, name)
    if (!TEXT.test(name) || !statSync(path).isFile()) continue
    const text = readFileSync(path)
    writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }))
  }
}

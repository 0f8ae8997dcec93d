import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite-plugin-electron'
import { root } from './setup.mjs'

const outDir = join(root, 'dist', 'shell')

/** One script of the client, with all it needs but Electron and Node in it: a program of few files starts sooner. */
const bundle = (/** @type {string} */ name, /** @type {'es' | 'cjs'} */ format, /** @type {string} */ file) =>
  build({
    vite: {
      configFile: false,
      root,
      logLevel: 'error',
      publicDir: false,
      define: { BUILT_SERVER: JSON.stringify(process.env['QINGTU_SERVER'] ?? '') },
      resolve: { conditions: ['own-source', 'node', 'import', 'default'], mainFields: ['module', 'main'] },
      build: {
        outDir,
        emptyOutDir: false,
        target: 'node22',
        minify: false,
        reportCompressedSize: false,
        lib: { entry: join(root, 'electron', `${name}.ts`), formats: [format], fileName: () => file },
        rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
      },
    },
  })

/** Bundles the client's main process, and its preload script, which is CommonJS because it runs in a sandbox. */
export async function buildShell() {
  rmSync(outDir, { recursive: true, force: true })
  await bundle('main', 'es', 'main.js')
  await bundle('preload', 'cjs', 'preload.cjs')
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildShell()

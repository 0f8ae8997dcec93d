import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { root, runStep } from './setup.mjs'

const script = fileURLToPath(import.meta.url)
const shellFolder = join(root, 'dist', 'shell')

/** What the environment says a build belongs to. */
const built = (/** @type {string} */ name) => JSON.stringify(process.env[name] ?? '')

/** One script of the client, with all it needs but Electron and Node in it: a program of few files starts sooner. */
const bundle = async (
  /** @type {string} */ name,
  /** @type {'es' | 'cjs'} */ format,
  /** @type {string} */ file,
  /** @type {string} */ outDir,
  /** @type {RegExp[]} */ externals = [],
) => {
  const { build } = await import('vite-plugin-electron')
  return build({
    vite: {
      configFile: false,
      root,
      logLevel: 'error',
      publicDir: false,
      define: {
        BUILT_SERVER: built('QINGTU_SERVER'),
        BUILT_PASS_KEY: built('QINGTU_PASS_KEY'),
        BUILT_UPDATES_URL: built('UPDATES_URL'),
        BUILT_UPDATES_KEY: built('UPDATES_KEY'),
      },
      resolve: { conditions: ['own-source', 'node', 'import', 'default'], mainFields: ['module', 'main'] },
      build: {
        outDir,
        emptyOutDir: false,
        target: 'node22',
        minify: false,
        reportCompressedSize: false,
        lib: { entry: join(root, 'electron', `${name}.ts`), formats: [format], fileName: () => file },
        rolldownOptions: { external: externals, output: { chunkFileNames: '[name]-[hash].js' } },
      },
    },
  })
}

/** Bundles the client's main process, and its preload script, which is CommonJS because it runs in a sandbox. */
async function bundleAll(/** @type {string} */ outDir) {
  rmSync(outDir, { recursive: true, force: true })
  await bundle('main', 'es', 'main.js', outDir)
  await bundle('preload', 'cjs', 'preload.cjs', outDir)
  // The engine is compiled as it is, for the command line and the server too.
  await bundle('engine-child', 'es', 'engine-child.js', outDir, [/^#(engine|shared)\//])
}

/** Builds the client's scripts in a process of their own: Vite leaves NODE_ENV=production behind, and a server that starts next would refuse what is for trying out. */
export const buildShell = (outDir = shellFolder) => runStep('客户端脚本构建', [script, outDir])

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await bundleAll(process.argv[2] ?? shellFolder)

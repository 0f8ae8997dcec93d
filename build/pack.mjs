import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build as buildAll } from './build.mjs'
import { appFolder, layOutClient } from './client-app.mjs'
import { electronBinary, windowsElectron } from './electron-binary.mjs'
import { checkedConfig } from './pack-check.mjs'
import { ensurePackages, root } from './setup.mjs'
import { buildShell } from './shell.mjs'
import { inTurn } from './turn.mjs'

const MB = 1024 ** 2

/** What the installers are called and signed by, from the environment: a certificate is electron-builder's CSC_LINK and CSC_KEY_PASSWORD. */
function fromEnvironment() {
  const { UPDATES_URL } = process.env
  return UPDATES_URL ? { publish: { provider: /** @type {const} */ ('generic'), url: UPDATES_URL } } : {}
}

/** The folder and version of an Electron that is at hand for a system. */
function electronFor(/** @type {import('./client-app.mjs').System} */ system) {
  const folder = system === 'win32' ? windowsElectron() : electronBinary()?.replace(/[/\\][^/\\]+$/, '')
  if (folder === undefined) return undefined
  return { electronDist: folder, electronVersion: readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '') }
}

/**
 * Packs the client for a system; the folder of what came out. `kind` is `dir` for a folder that runs as it is, `nsis` for the installer.
 * Without fuses tests can drive it.
 * @param {{ system: import('./client-app.mjs').System, kind?: 'dir' | 'nsis', hasFuses?: boolean, output?: string }} order
 */
export async function pack({ system, kind = 'dir', hasFuses = true, output = join(root, 'dist', 'packed') }) {
  const electron = electronFor(system)
  if (electron === undefined) return undefined
  layOutClient(system)
  const config = {
    ...fromEnvironment(),
    ...electron,
    ...(!hasFuses && { electronFuses: null }),
    directories: { app: appFolder, output },
  }
  await checkedConfig(config)
  const { build, Platform, Arch } = await import('electron-builder')
  const platform = system === 'win32' ? Platform.WINDOWS : Platform.LINUX
  await build({ projectDir: root, targets: platform.createTarget(kind, Arch.x64), config, publish: 'never' })
  return join(output, system === 'win32' ? 'win-unpacked' : 'linux-unpacked')
}

/** All files of a folder with their sizes in bytes. */
const sizes = (/** @type {string} */ folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, bytes: statSync(join(folder, name)) }))
    .flatMap(({ name, bytes }) => (bytes.isFile() ? [{ name, bytes: bytes.size }] : []))

/** How large a packed client is, in bytes: what is packed into one file, what lies beside it, and all of it. */
export function weigh(/** @type {string} */ folder) {
  const all = sizes(folder)
  const sum = (/** @type {RegExp} */ pattern) => all.reduce((total, { name, bytes }) => total + (pattern.test(name) ? bytes : 0), 0)
  return { asar: sum(/(^|[/\\])app\.asar$/), beside: sum(/app\.asar\.unpacked[/\\]/), all: sum(/./) }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensurePackages()
  const [word = ''] = process.argv.slice(2)
  const system = word === 'linux' ? 'linux' : 'win32'
  await buildAll()
  // The client's scripts are made anew: what they belong to comes from the environment.
  await inTurn(buildShell)
  rmSync(join(root, 'dist', 'packed'), { recursive: true, force: true })
  const folder = await pack({ system, kind: word === 'installer' ? 'nsis' : 'dir' })
  if (folder === undefined || !existsSync(folder)) {
    console.error('没有可用的 Electron：在 Windows 上先运行 npx install-electron，或用 ELECTRON_DIST 指定解压好的 Windows 版文件夹。')
    process.exit(1)
  }
  const { asar, beside, all } = weigh(folder)
  console.log(
    `${folder}\napp.asar ${(asar / MB).toFixed(2)} MB，旁边的文件 ${(beside / MB).toFixed(1)} MB，合计 ${(all / MB).toFixed(1)} MB`,
  )
}

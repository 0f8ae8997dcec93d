import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a command in the project's folder with its output shown; the exit status, 1 when it could not start. */
export function show(
  /** @type {string} */ command,
  /** @type {readonly string[]} */ args,
  /** @type {NodeJS.ProcessEnv} */ env = process.env,
) {
  // npm is a .cmd on Windows, which only a shell starts; the arguments are ours, never a user's.
  const shell = process.platform === 'win32' && command === 'npm'
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env, shell })
  return status ?? 1
}

/** Runs a Node script so, a step of a build; ends everything, in words, when it fails. */
export function runStep(/** @type {string} */ step, /** @type {readonly string[]} */ args, env = process.env) {
  if (show(process.execPath, args, env) === 0) return
  console.error(`${step}失败，请先修正上面的错误。`)
  process.exit(1)
}

/** Refuses early, in words, a Node too old for the libraries. */
function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return
  console.error(`需要 Node ^20.19.0 或 >=22.12.0，当前为 ${process.versions.node}。`)
  process.exit(2)
}

/** Installs the packages of the lock file unless they are there already. */
export function ensurePackages() {
  checkNode()
  const installed = join(root, 'node_modules', '.package-lock.json')
  const isCurrent = existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
  if (isCurrent) return
  console.log('正在按 package-lock.json 安装依赖…')
  if (show('npm', ['ci', '--no-audit', '--no-fund']) === 0) return
  console.error('依赖安装失败，请检查网络后重试。')
  process.exit(1)
}

/** Whether a program is on the PATH, or a file where an absolute path says. */
export const hasProgram = (/** @type {string} */ name) =>
  name.startsWith('/')
    ? existsSync(name)
    : spawnSync(process.platform === 'win32' ? 'where' : 'which', [name], { stdio: 'ignore' }).status === 0

/** Installs Debian packages where this user may, else nothing. */
function installDebian(/** @type {readonly string[]} */ names) {
  if (names.length === 0 || !hasProgram('apt-get') || process.getuid?.() !== 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  show('apt-get', ['update', '-qq'], env)
  show('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], env)
}

const hasChineseFont = () => Boolean(spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' }).stdout?.trim())

/** Installs a Chinese font where there is none: without one screenshots show boxes and text has other widths. */
export function ensureChineseFont() {
  if (hasChineseFont()) return
  installDebian(['fonts-noto-cjk'])
  if (!hasChineseFont()) console.log('缺少中文字体（Debian 软件包 fonts-noto-cjk），页面测试的文字会显示为方框。')
}

/**
 * Installs Debian packages whose program is missing, where this user may; says aloud what stays missing. Returns the
 * programs that are there in the end.
 * @param {Readonly<Record<string, string>>} packageOf program, or path of a file → Debian packages, a space between them
 */
export function ensureDebian(packageOf) {
  const missing = Object.keys(packageOf).filter((program) => !hasProgram(program))
  installDebian(missing.flatMap((program) => (packageOf[program] ?? program).split(' ')))
  const present = Object.keys(packageOf).filter(hasProgram)
  for (const program of Object.keys(packageOf)) {
    if (!present.includes(program)) console.log(`缺少 ${program}（Debian 软件包 ${packageOf[program]}），相关部分将跳过。`)
  }
  return present
}

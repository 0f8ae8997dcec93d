import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { filesOf, folder, freshJobFolder, jobFolder, jobOf, look, mean, quantile, similarity, TARGETS_KB, tell } from './measure.mjs'
import { localLimits } from '#engine/limits'
import { run } from '#engine/run'

/** @typedef {import('#engine/pool').EnginePool} EnginePool */
const PHOTOS = ['kodak', 'portrait', 'photo_mid', 'photo_big']

/** @typedef {{ file: string, targetKb: number, megapixels: number, tool: string, bytes: number, fill: number, ms: number, ssim: number }} Row */

/** How other tools bring a JPEG below a size; each writes `out`. @type {Readonly<Record<string, (file: string, targetKb: number, out: string) => void>>} */
const jpegPeers = {
  convert: (file, targetKb, out) =>
    void spawnSync('convert', [file, '-auto-orient', '-strip', '-define', `jpeg:extent=${targetKb}kb`, out], { stdio: 'ignore' }),
  jpegoptim: (file, targetKb, out) =>
    void spawnSync('sh', ['-c', `jpegoptim -q -s --size=${targetKb}k --stdout "$1" > "$2"`, 'sh', file, out], { stdio: 'ignore' }),
}

/** kodak is PNG: as JPEG sources of quality 97, as a camera would have written them. */
async function jpegSource(/** @type {string} */ file) {
  if (!file.endsWith('.png')) return file
  const path = join(folder, `${basename(file, '.png')}.jpg`)
  if (!existsSync(path)) await sharp(file).jpeg({ quality: 97 }).toFile(path)
  return path
}

/** Every photo to every size, by us and by the peers that are present. */
export async function benchJpeg(/** @type {EnginePool} */ pool, /** @type {readonly string[]} */ present) {
  /** @type {Row[]} */
  const rows = []
  const peers = Object.keys(jpegPeers).filter((name) => present.includes(name))
  for (const original of PHOTOS.flatMap(filesOf)) {
    const file = await jpegSource(original)
    const { autoOrient } = await sharp(file).metadata()
    const { width, height } = autoOrient
    const before = await look(file, width, height)
    for (const targetKb of TARGETS_KB.filter((kb) => kb * 1024 < statSync(file).size)) {
      const add = async (/** @type {string} */ tool, /** @type {string} */ path, /** @type {number} */ ms) => {
        const bytes = statSync(path).size
        // jpegoptim writes nothing where it can't reach the size.
        if (bytes === 0) return
        rows.push({
          file,
          targetKb,
          megapixels: (width * height) / 1e6,
          tool,
          bytes,
          fill: bytes / targetKb / 1024,
          ms,
          ssim: similarity(before, await look(path, width, height)),
        })
      }
      for (const peer of peers) {
        const out = join(folder, 'peer.jpg')
        const startedAt = performance.now()
        jpegPeers[peer]?.(file, targetKb, out)
        await add(peer, out, performance.now() - startedAt)
      }
      freshJobFolder()
      const startedAt = performance.now()
      const [output] = await pool.run(jobOf(file, targetKb), jobFolder)
      if (output) await add('qingtu', output.path, performance.now() - startedAt)
    }
  }
  return rows
}

/** Prints fill, similarity and time beside each peer. */
export function reportJpeg(/** @type {Row[]} */ rows) {
  console.log(`\nJPEG to a size: ${new Set(rows.map(({ file }) => file)).size} pictures × {${TARGETS_KB}} KB below their size`)
  const ours = new Map(rows.filter(({ tool }) => tool === 'qingtu').map((row) => [`${row.file} ${row.targetKb}`, row]))
  for (const tool of new Set(rows.map((row) => row.tool))) {
    const own = rows.filter((row) => row.tool === tool)
    const fills = own.map(({ fill }) => fill)
    const scale = `n ${own.length}, above target ${fills.filter((fill) => fill > 1).length}, fill median ${quantile(fills, 0.5).toFixed(3)} p10 ${quantile(fills, 0.1).toFixed(3)} min ${quantile(fills, 0).toFixed(3)}`
    tell(tool, `${scale}, SSIM mean ${mean(own.map((row) => row.ssim)).toFixed(4)}`)
    if (tool === 'qingtu') continue
    const pairs = own.flatMap((peer) => {
      const our = ours.get(`${peer.file} ${peer.targetKb}`)
      return our ? [{ peer, our, gain: our.ssim - peer.ssim, ratio: our.ms / peer.ms }] : []
    })
    const fair = pairs.filter(({ peer }) => peer.fill <= 1)
    tell(
      `  qingtu − ${tool}`,
      `SSIM within target: n ${fair.length}, mean gain ${mean(fair.map(({ gain }) => gain)).toFixed(4)}, worse on ${fair.filter(({ gain }) => gain < 0).length}, worst ${quantile(
        fair.map(({ gain }) => gain),
        0,
      ).toFixed(4)}; all pairs: worse on ${pairs.filter(({ gain }) => gain < 0).length}`,
    )
    for (const { peer, gain } of fair.filter((pair) => pair.gain < 0))
      tell('    worse', `${basename(peer.file)} ${peer.targetKb} KB ${gain.toFixed(4)}`)
    for (const label of ['> 4 MP', '≤ 4 MP']) {
      const ratios = pairs.filter(({ our }) => our.megapixels > 4 === (label === '> 4 MP')).map(({ ratio }) => ratio)
      if (ratios.length > 0)
        tell(
          `  time ÷ ${tool} ${label}`,
          `n ${ratios.length}, median ${quantile(ratios, 0.5).toFixed(2)}, mean ${mean(ratios).toFixed(2)}, p90 ${quantile(ratios, 0.9).toFixed(2)}`,
        )
    }
  }
}

/** Counts encodes of whole pictures above 1 MP, at full size or shrunk, in this process: by watching what sharp is asked for. */
export async function countEncodes() {
  const prototype = sharp.prototype
  const toBuffer = prototype.toBuffer
  /** @type {number[]} */
  let written = []
  prototype.toBuffer = function (/** @type {any} */ ...given) {
    const { formatOut, input } = /** @type {any} */ (this).options
    if (formatOut === 'jpeg') written.push(input.rawWidth * input.rawHeight)
    return Reflect.apply(toBuffer, this, given)
  }
  /** @type {number[]} */
  const atSourceSize = []
  /** @type {number[]} */
  const atFinalSize = []
  for (const file of ['portrait', 'photo_mid', 'photo_big'].flatMap(filesOf)) {
    const { autoOrient } = await sharp(file).metadata()
    const pixels = autoOrient.width * autoOrient.height
    if (pixels <= 1e6) continue
    for (const targetKb of TARGETS_KB.filter((kb) => kb * 1024 < statSync(file).size)) {
      freshJobFolder()
      written = []
      const context = { folder: jobFolder, limits: localLimits, msLeft: () => 60_000, progress: () => {} }
      const [output] = await run(jobOf(file, targetKb), context)
      const finalPixels = (output?.width ?? 0) * (output?.height ?? 0)
      atSourceSize.push(written.filter((size) => size >= 0.9 * pixels).length)
      if (finalPixels > 1e6) atFinalSize.push(written.filter((size) => size >= 0.9 * finalPixels).length)
    }
  }
  prototype.toBuffer = toBuffer
  console.log('\nJPEG encodes of a whole picture above 1 MP')
  for (const [label, counts] of /** @type {const} */ ([
    ['of the source size', atSourceSize],
    ['of a final size > 1 MP', atFinalSize],
  ])) {
    tell(label, `n ${counts.length}, mean ${mean(counts).toFixed(2)}, median ${quantile(counts, 0.5)}, max ${quantile(counts, 1)}`)
  }
}

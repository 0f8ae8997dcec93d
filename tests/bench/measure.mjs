import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { ssim } from 'ssim.js'
import { parseOptions } from '#shared/tools/index'

/** Real photos and screenshots, which the project does not hold itself. */
export const corpus = fileURLToPath(new URL('../../../shared/corpus/images', import.meta.url))
export const TARGETS_KB = [20, 30, 50, 100, 200, 300, 500, 1000]
/** SSIM is taken on a central crop of this side at most: ssim.js needs seconds for a megapixel. */
const CROP_PX = 1200

sharp.cache(false)
/** Where peers and jobs write; the bench removes it in the end. */
export const folder = mkdtempSync(join(tmpdir(), 'qingtu-bench-'))
export const jobFolder = join(folder, 'out')

export const quantile = (/** @type {number[]} */ values, /** @type {number} */ share) => {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN
}
export const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length
export const filesOf = (/** @type {string} */ category) => readdirSync(join(corpus, category)).map((name) => join(corpus, category, name))
export const tell = (/** @type {string} */ label, /** @type {string} */ text) => console.log(`  ${label.padEnd(22)} ${text}`)

/** A picture file as a viewer shows it at a size, cropped to its middle, transparency on a given grey. */
export async function look(
  /** @type {string | Buffer} */ file,
  /** @type {number} */ width,
  /** @type {number} */ height,
  ground = '#fff',
) {
  const shown = await sharp(file, { limitInputPixels: false })
    .autoOrient()
    .flatten({ background: ground })
    .resize(width, height, { fit: 'fill' })
    .toColourspace('srgb')
    .png({ compressionLevel: 0 })
    .toBuffer()
  const [cropWidth, cropHeight] = [Math.min(width, CROP_PX), Math.min(height, CROP_PX)]
  const crop = { left: (width - cropWidth) >> 1, top: (height - cropHeight) >> 1, width: cropWidth, height: cropHeight }
  const data = await sharp(shown).extract(crop).ensureAlpha().raw().toBuffer()
  return { data: new Uint8ClampedArray(data), width: cropWidth, height: cropHeight }
}

/** @typedef {Awaited<ReturnType<typeof look>>} View */
export const similarity = (/** @type {View} */ left, /** @type {View} */ right) =>
  ssim(left, right, { ssim: 'fast', downsample: false }).mssim

/** A job of compressing to a size. */
export const jobOf = (/** @type {string} */ path, /** @type {number} */ targetKb) => ({
  tool: /** @type {const} */ ('compress-image'),
  options: parseOptions('compress-image', { goal: { by: 'size', targetKb } }),
  inputs: /** @type {const} */ ([{ path, name: basename(path) }]),
})

/** Empties the job folder. */
export function freshJobFolder() {
  rmSync(jobFolder, { recursive: true, force: true })
  mkdirSync(jobFolder)
}

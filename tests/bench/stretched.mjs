import sharp from 'sharp'
import { exifOf, ownSize, takenSize } from '../fixtures/exif.mjs'

/** @typedef {{ data: Uint8Array, width: number, height: number }} Rgb Raw samples, 3 channels. */

/** What weighs a sample at a distance. @type {Record<string, readonly [number, (d: number) => number]>} */
const kernels = {
  bilinear: [1, (d) => 1 - d],
  bicubic: [2, (d) => (d < 1 ? (1.25 * d - 2.25) * d * d + 1 : ((-0.75 * d + 3.75) * d - 6) * d + 3)],
}

/** Rows at another width as canvases and OpenCV make them: the kernel stays as it is where they get shorter. @returns {Rgb} */
function rowsAt(/** @type {Rgb} */ { data, width, height }, /** @type {number} */ to, /** @type {string} */ kernel) {
  const [reach, weigh] = kernels[kernel] ?? [1, () => 1]
  const out = new Uint8Array(to * height * 3)
  for (let x = 0; x < to; x++) {
    const centre = ((x + 0.5) * width) / to - 0.5
    const first = Math.floor(centre) - reach + 1
    const weights = Array.from({ length: 2 * reach }, (_, tap) => weigh(Math.abs(first + tap - centre)))
    const columns = weights.map((_, tap) => Math.max(0, Math.min(width - 1, first + tap)) * 3)
    for (let y = 0; y < height; y++) {
      for (let c = 0; c < 3; c++) {
        const sum = weights.reduce((all, weight, tap) => all + weight * (data[y * width * 3 + (columns[tap] ?? 0) + c] ?? 0), 0)
        out[(y * to + x) * 3 + c] = Math.max(0, Math.min(255, Math.round(sum)))
      }
    }
  }
  return { data: out, width: to, height }
}

/** @returns {Rgb} */
function turned(/** @type {Rgb} */ { data, width, height }) {
  const out = new Uint8Array(data.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) for (let c = 0; c < 3; c++) out[(x * height + y) * 3 + c] = data[(y * width + x) * 3 + c] ?? 0
  return { data: out, width: height, height: width }
}

const pipeline = (/** @type {Rgb} */ { data, width, height }) => sharp(data, { raw: { width, height, channels: 3 } })

/** @returns {Promise<Rgb>} */
export async function rawOf(/** @type {import('sharp').Sharp} */ picture) {
  const { data, info } = await picture.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}

/** How programs resample: image editors make the kernel wider for less pixels, canvases don't. */
export const MANNERS = /** @type {const} */ (['lanczos3', 'cubic', 'bilinear', 'bicubic'])
/** What a picture is saved as: PNG, or a JPEG of a quality. */
export const FILES = /** @type {const} */ (['png', 95, 85, 75])

/** A picture at another size. @returns {Promise<Rgb>} */
export async function resized(
  /** @type {Rgb} */ picture,
  /** @type {number} */ width,
  /** @type {number} */ height,
  /** @type {(typeof MANNERS)[number]} */ manner,
) {
  if (manner === 'lanczos3' || manner === 'cubic') return rawOf(pipeline(picture).resize({ width, height, fit: 'fill', kernel: manner }))
  const wide = width === picture.width ? picture : rowsAt(picture, width, manner)
  return height === wide.height ? wide : turned(rowsAt(turned(wide), height, manner))
}

/** A picture as it comes back from a file. @returns {Promise<Rgb>} */
export const saved = async (/** @type {Rgb} */ picture, /** @type {'png' | number} */ file) =>
  file === 'png' ? picture : rawOf(sharp(await pipeline(picture).jpeg({ quality: file }).toBuffer()))

/** A picture as the engine holds it. */
export const pixelsOf = (/** @type {Rgb} */ { data, width, height }) => ({
  data: Buffer.from(data),
  width,
  height,
  channels: /** @type {const} */ (3),
})

/**
 * The largest part of a picture that has proportions (the longer side over the shorter, as the picture lies), around the middle of boxes or its own.
 * @returns {Promise<Rgb>}
 */
export function framed(
  /** @type {Rgb} */ picture,
  /** @type {number} */ ratio,
  /** @type {readonly { left: number, top: number, width: number, height: number }[]} */ boxes,
) {
  const shape = picture.width >= picture.height ? ratio : 1 / ratio
  const width = Math.min(picture.width, Math.round(picture.height * shape))
  const height = Math.min(picture.height, Math.round(picture.width / shape))
  const middle = (/** @type {number[]} */ places, /** @type {number} */ own) =>
    places.length === 0 ? own : places.reduce((sum, place) => sum + place, 0) / places.length
  const x = middle(
    boxes.map((box) => box.left + box.width / 2),
    picture.width / 2,
  )
  const y = middle(
    boxes.map((box) => box.top + box.height / 2),
    picture.height / 2,
  )
  const left = Math.round(Math.max(0, Math.min(picture.width - width, x - width / 2)))
  const top = Math.round(Math.max(0, Math.min(picture.height - height, y - height / 2)))
  return rawOf(pipeline(picture).extract({ left, top, width, height }))
}

/** EXIF that remembers a picture: its thumbnail as cameras make it (160 by 120, or as much of it between black bars), or its size. */
export async function rememberingExif(/** @type {Rgb} */ picture, /** @type {'thumbnail' | 'size'} */ memory) {
  const { width, height } = picture
  if (memory === 'size') return exifOf({ main: ownSize(width, height), taken: takenSize(width, height) })
  const [wide, high] = width >= height ? [160, 120] : [120, 160]
  return exifOf({
    thumbnail: await pipeline(picture).resize(wide, high, { fit: 'contain', background: '#000' }).jpeg({ quality: 75 }).toBuffer(),
  })
}

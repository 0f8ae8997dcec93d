import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import sharp from 'sharp'
import { renderedPages } from '../effect-pages.mjs'
import { halfOf, psnr, timed } from '../effects.mjs'
import { folder, mean } from '../measure.mjs'
import { photographed, rectified } from '../page-photos.mjs'
import { findPage } from '#shared/effects/scan-document/find-page'
import { cleaned, cornersOf, layoutOf } from '#shared/effects/scan-document/scan'
import { skewOf } from '#shared/effects/scan-document/skew'
import { warped } from '#shared/effects/scan-document/warp'
import { parseOptions } from '#shared/tools/index'

/**
 * @typedef {import('../effects.mjs').Clean} Clean
 * @typedef {import('../effects.mjs').Line} Line
 * @typedef {import('../effect-pages.mjs').Page} Page
 * @typedef {import('../page-photos.mjs').Raw} Raw
 */

export const against = 'division by a closing of 13 × 13'

const options = parseOptions('scan-document', {})
const pipeline = (/** @type {Raw} */ { data, width, height }) => sharp(data, { raw: { width, height, channels: 3 } })
const rawOf = async (/** @type {import('sharp').Sharp} */ picture) => {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}

/** The whole effect as the engine runs it. */
function scanned(/** @type {Raw} */ photo) {
  const layout = layoutOf(photo, cornersOf(photo, options), options.straighten)
  const page = layout ? warped(photo, layout) : photo
  return cleaned(page, options) ?? page
}

/** The least value within a reach, along rows and then columns. */
function least(/** @type {Float32Array} */ values, /** @type {number} */ width, /** @type {number} */ height, /** @type {number} */ reach) {
  const [rows, out] = [new Float32Array(values.length), new Float32Array(values.length)]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let found = Infinity
      for (let u = Math.max(0, x - reach); u <= Math.min(width - 1, x + reach); u++) found = Math.min(found, values[y * width + u] ?? 0)
      rows[y * width + x] = found
    }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let found = Infinity
      for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) found = Math.min(found, rows[v * width + x] ?? 0)
      out[y * width + x] = found
    }
  return out
}

/** The baseline: a closing of 13×13 on a quarter of the size, blurred, divided out. @returns {Promise<Raw>} */
async function divided(/** @type {Raw} */ photo) {
  const [width, height] = [Math.round(photo.width / 4), Math.round(photo.height / 4)]
  const small = await rawOf(pipeline(photo).resize(width, height, { fit: 'fill' }))
  const ground = new Uint8Array(small.data.length)
  for (let c = 0; c < 3; c++) {
    const negative = Float32Array.from({ length: width * height }, (_, at) => -(small.data[at * 3 + c] ?? 0))
    const dilated = least(negative, width, height, 6).map((value) => -value)
    const closed = least(dilated, width, height, 6)
    for (let at = 0; at < closed.length; at++) ground[at * 3 + c] = closed[at] ?? 0
  }
  const full = await rawOf(pipeline({ data: ground, width, height }).blur(5).resize(photo.width, photo.height, { fit: 'fill' }))
  return { ...photo, data: photo.data.map((level, at) => Math.min(255, (252 * level) / Math.max(1, full.data[at] ?? 0))) }
}

const plain = (/** @type {string} */ text) => [
  ...text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase(),
]

/** Characters to be inserted, left out or changed until one text is the other (Levenshtein 1966). */
function edits(/** @type {readonly string[]} */ a, /** @type {readonly string[]} */ b) {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (const [y, one] of a.entries()) {
    const next = [y + 1]
    for (const [x, other] of b.entries())
      next.push(Math.min((next[x] ?? 0) + 1, (row[x + 1] ?? 0) + 1, (row[x] ?? 0) + (one === other ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}

/** The share of a page's characters that Tesseract gets wrong, in percent. */
async function errors(/** @type {Raw} */ picture, /** @type {string} */ text) {
  const path = join(folder, 'read.png')
  await pipeline(picture).png({ compressionLevel: 1 }).toFile(path)
  const read = execFileSync('tesseract', [path, '-', '-l', 'chi_sim+eng', '--psm', '3'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, OMP_THREAD_LIMIT: '1' },
  })
  const truth = plain(text)
  return (100 * Math.min(truth.length, edits(truth, plain(read)))) / truth.length
}

const canRead = () => (spawnSync('tesseract', ['--list-langs'], { encoding: 'utf8' }).stdout ?? '').includes('chi_sim')

/** How near a picture of a page comes to the clean page, at a quarter of its size: what light and colour are worth, not half a pixel's place. */
async function likeness(/** @type {Raw} */ picture, /** @type {Page} */ page) {
  const at = async (/** @type {Raw} */ one) =>
    (await rawOf(pipeline(one).resize(page.width >> 2, page.height >> 2, { fit: 'fill', kernel: 'cubic' }))).data
  return psnr(await at(picture), await at(page))
}

/** The pages of a half, photographed: corners, words and light. @returns {Promise<Line[]>} */
async function photos(/** @type {readonly Page[]} */ pages, /** @type {readonly Clean[]} */ desks, /** @type {boolean} */ isHeldBack) {
  /** @type {{ wrong: number[], like: number[] }[]} */
  const table = Array.from({ length: 3 }, () => ({ wrong: [], like: [] }))
  const cpus = []
  const reads = canRead()
  for (const [n, page] of pages.entries()) {
    const { photo, corners } = await photographed(page, 200 + n * 2 + (isHeldBack ? 1 : 0), desks)
    const base = await divided(photo)
    const { result: ours, cpu } = await timed(() => scanned(photo))
    cpus.push(cpu / ((photo.width * photo.height) / 1e6))
    // Light is judged where the page lies in all three alike: half a pixel's place costs more decibels than a shadow.
    const [plainly, divisions] = [photo, base].map((one) => rectified(one, corners, page.width, page.height))
    const flat = [plainly, divisions, plainly && (cleaned(plainly, options) ?? plainly)]
    for (const [at, seen] of [photo, base, ours].entries()) {
      if (reads) table[at]?.wrong.push(await errors(seen, page.text))
      table[at]?.like.push(await likeness(flat[at] ?? seen, page))
    }
  }
  const cpu = mean(cpus)
  const line = (/** @type {string} */ measure, /** @type {'wrong' | 'like'} */ key) => {
    const [source = NaN, baseline = NaN, ours = NaN] = table.map((one) => mean(one[key]))
    return { set: `${pages.length} pages photographed, ${halfOf(isHeldBack)}`, measure, source, baseline, ours, cpu }
  }
  const [wrong, like] = [reads ? line('OCR wrong %', 'wrong') : undefined, line('PSNR 1/4', 'like')]
  return [
    ...(wrong ? [{ ...wrong, goal: 'source -70 %', isHeld: wrong.ours <= 0.3 * wrong.source }] : []),
    { ...like, goal: '> baseline', isHeld: like.ours > like.baseline },
  ]
}

/** Corners of many photos: how many lie within a hundredth of the diagonal. @returns {Promise<Line>} */
async function outlines(/** @type {readonly Page[]} */ pages, /** @type {readonly Clean[]} */ desks, /** @type {boolean} */ isHeldBack) {
  let [right, count] = [0, 0]
  const cpus = []
  for (let n = 0; n < 16; n++) {
    const page = pages[n % pages.length]
    if (!page) continue
    const { photo, corners } = await photographed(page, 1000 + n * 2 + (isHeldBack ? 1 : 0), desks, 900, 1200)
    const { result, cpu } = await timed(() => findPage(photo))
    const off = corners.map(([x, y], at) =>
      Math.hypot((result?.quad[at]?.x ?? 2) * photo.width - x, (result?.quad[at]?.y ?? 2) * photo.height - y),
    )
    right += Math.max(...off) < 0.01 * Math.hypot(photo.width, photo.height) ? 1 : 0
    count += 1
    cpus.push(cpu / ((photo.width * photo.height) / 1e6))
  }
  return {
    set: `${count} photos of pages, ${halfOf(isHeldBack)}`,
    measure: 'corners %',
    ours: (100 * right) / count,
    goal: '>= 90 within 1 %',
    isHeld: right >= 0.9 * count,
    cpu: mean(cpus),
  }
}

const ANGLES = [-10, -6.3, -2.15, -0.4, 0, 0.85, 3.6, 9.7]

/** The worst error of pages turned by known angles, in degrees. @returns {Promise<Line>} */
async function angles(/** @type {readonly Page[]} */ pages, /** @type {boolean} */ isHeldBack) {
  const off = []
  for (const page of pages) {
    for (const angle of ANGLES) {
      const file = await pipeline(page)
        .rotate(angle, { background: '#ddd' })
        .modulate({ brightness: 0.85 })
        .jpeg({ quality: 70 })
        .toBuffer()
      off.push(Math.abs(skewOf(await rawOf(sharp(file))) - angle))
    }
  }
  const worst = Math.max(...off)
  return {
    set: `${off.length} turned pages, ${halfOf(isHeldBack)}`,
    measure: 'worst degree',
    ours: worst,
    goal: '<= 0.2',
    isHeld: worst <= 0.2,
  }
}

/** The lines of the table. @returns {Promise<Line[]>} */
export async function lines(/** @type {readonly Clean[]} */ pictures) {
  const pages = await renderedPages(pictures)
  const table = []
  for (const isHeldBack of [false, true]) {
    const half = pages.filter((page) => page.isHeldBack === isHeldBack)
    const desks = pictures.filter((picture) => picture.isHeldBack === isHeldBack)
    const cut = desks.filter((picture) => cornersOf(picture, options) !== undefined).length
    table.push(
      await outlines(half, desks, isHeldBack),
      { set: `${desks.length} photos of no page, ${halfOf(isHeldBack)}`, measure: 'cropped', ours: cut, goal: '0', isHeld: cut === 0 },
      await angles(half, isHeldBack),
      ...(await photos(half, desks, isHeldBack)),
    )
  }
  return table
}

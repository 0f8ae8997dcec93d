import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { corpus, filesOf } from './measure.mjs'
import { findFaces } from '#engine/ai/faces'
import { samplesOf } from '#engine/image/pixels'

/** A photo. @typedef {{ name: string, file: string | Buffer }} Photo */

/** Pictures that come with face-api.js, of several people each. */
const groupFolder = fileURLToPath(new URL('../../node_modules/@vladmandic/face-api/demo', import.meta.url))
const groups = ['sample1.jpg', 'sample2.jpg', 'sample3.jpg', 'sample4.jpg', 'sample5.jpg', 'sample6.jpg']
/** How much of the photos with licences is taken. */
const MOST_STAFF = 40
const MOST_GOODS = 30

/** People one by one out of pictures of several, from above the hair to the chest; others' shoulders are seen at the sides. @returns {Promise<Photo[]>} */
async function outOfGroups() {
  const found = []
  for (const name of groups) {
    const path = join(groupFolder, name)
    if (!existsSync(path)) continue
    const pixels = await samplesOf(sharp(path).toColourspace('srgb'))
    for (const { box } of await findFaces(pixels)) {
      const [left, top] = [Math.max(0, Math.round(box.left - 0.9 * box.width)), Math.max(0, Math.round(box.top - 0.7 * box.height))]
      const right = Math.min(pixels.width, Math.round(box.left + 1.9 * box.width))
      const bottom = Math.min(pixels.height, Math.round(box.top + 3 * box.height))
      const file = await sharp(path)
        .extract({ left, top, width: right - left, height: bottom - top })
        .png()
        .toBuffer()
      found.push({ name: `${basename(name, '.jpg')} ${left}`, file })
    }
  }
  return found
}

/** Files of a tar by name (POSIX ustar: a header of 512 bytes, the size in octal at 124). @returns {Map<string, Buffer>} */
function tarOf(/** @type {string} */ path) {
  const tar = readFileSync(path)
  const files = new Map()
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const text = (/** @type {number} */ from, /** @type {number} */ length) => tar.toString('latin1', at + from, at + from + length)
    const bytes = Number.parseInt(text(124, 12), 8)
    files.set(text(0, 100).replace(/\0.*$/s, ''), tar.subarray(at + 512, at + 512 + bytes))
    at += 512 + 512 * Math.ceil(bytes / 512)
  }
  return files
}

/** Photos with licences, small: portraits of a staff, and single things. @returns {{ staff: Photo[], goods: Photo[] }} */
function withLicences() {
  const [list, tar] = ['photos-train.tsv', 'photos-train.tar'].map((name) => join(corpus, '..', name))
  if (!list || !tar || !existsSync(list) || !existsSync(tar)) return { staff: [], goods: [] }
  const files = tarOf(tar)
  const rows = readFileSync(list, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
  const photos = (/** @type {(source: string, origin: string) => boolean} */ fits, /** @type {number} */ most) =>
    rows
      .flatMap(([, name = '', source = '', , , origin = '']) => {
        const file = fits(source, origin) ? files.get(name) : undefined
        return file ? [{ name: basename(name), file }] : []
      })
      .slice(0, most)
  return {
    staff: photos((source, origin) => source === 'g18f' && origin.includes('/team/'), MOST_STAFF),
    goods: photos((source) => source === 'dreambooth', MOST_GOODS),
  }
}

/** Photos that a model is asked about, by what they are of, or a share of them. None where the corpus is not there, but for those of the packages. */
export async function photographs(/** @type {number} */ share) {
  const own = (/** @type {string} */ category) =>
    existsSync(join(corpus, category)) ? filesOf(category).map((file) => ({ name: basename(file), file })) : []
  const { staff, goods } = withLicences()
  const some = (/** @type {Photo[]} */ list) => list.filter((_, at) => Math.floor((at + 1) * share) > Math.floor(at * share))
  return {
    person: some([...own('portrait'), ...(await outOfGroups()), ...staff]),
    goods: some(goods),
    general: some([...own('photo_mid'), ...own('photo_big')]),
  }
}

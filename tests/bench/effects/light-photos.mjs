import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { corpus, mean } from '../measure.mjs'
import { labOf } from '#shared/effects/math/lab'

/** Sources of photos that nothing of ours was trained on (training/colourize/prepare.py). */
const LEFT_OUT = new Set(
  'coco_ccby clic2025 oi_packt dreambooth elementary ostax_entrepreneurship ostax_college-success-bundle ostax_introduction-business'.split(
    ' ',
  ),
)
/** Beside the corpus of pictures: small photos of many sources, and a list of them. */
const [archive, index] = ['photos-train.tar', 'photos-train.tsv'].map((name) => join(corpus, '..', name))

/** @typedef {import('../effects.mjs').Clean} Clean */

const deviation = (/** @type {Float32Array} */ values) => {
  const middle = mean([...values])
  return Math.sqrt(mean([...values].map((value) => (value - middle) ** 2)))
}

/** Whether a picture is a photo in colours: no drawing, no page, no print of one colour. */
function isPhoto(/** @type {Clean} */ { data, width }) {
  let [flat, white, black] = [0, 0, 0]
  const pixels = data.length / 3
  for (let at = 0; at < data.length; at += 3) {
    const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3)
    const step = (/** @type {number} */ to) => Math.abs((r + g + b - (data[to] ?? r) - (data[to + 1] ?? g) - (data[to + 2] ?? b)) / 3)
    if (step(at + 3) + step(at + 3 * width) <= 1) flat += 1
    if (Math.min(r, g, b) > 242) white += 1
    if (Math.max(r, g, b) < 10) black += 1
  }
  const { a, b } = labOf({ data, width, height: pixels / width })
  const chroma = mean([...a].map((value, at) => Math.hypot(value, b[at] ?? 0)))
  return white < 0.22 * pixels && flat < 0.38 * pixels && black < 0.4 * pixels && chroma > 4 && Math.hypot(deviation(a), deviation(b)) > 3
}

/** Photos of sources that nothing was trained on, as their makers balanced them; `undefined` where the archive isn't there. */
export async function leftOutPhotos() {
  if (!archive || !index || !existsSync(archive) || !existsSync(index)) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'qingtu-photos-'))
  try {
    spawnSync('tar', ['-xf', archive, '-C', folder])
    const rows = readFileSync(index, 'utf8').split('\n').slice(1)
    const names = rows.map((row) => row.split('\t')).flatMap(([, name = '', source = '']) => (LEFT_OUT.has(source) ? [name] : []))
    /** @type {Clean[]} */
    const photos = []
    for (const name of names) {
      const path = [join(folder, name), join(folder, 'photos-train', name)].find((one) => existsSync(one))
      if (path === undefined) continue
      const { data, info } = await sharp(path).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
      const photo = { name, isHeldBack: true, data: new Uint8Array(data), width: info.width, height: info.height }
      if (info.channels === 3 && isPhoto(photo)) photos.push(photo)
    }
    return photos
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

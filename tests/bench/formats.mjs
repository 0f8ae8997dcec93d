import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { corpus } from './measure.mjs'
import { cloudLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'
import { parseOptions } from '#shared/tools/index'

// What each file came to: the mean difference from another decoder, 0..255, where that decoder reads it.
/** @type {{ category: string, name: string, ms: number, code: string, error: number | string | undefined }[]} */
const rows = []

/** A file of libvips' sRGB profile, so that the other decoder converts by the pictures' own. */
async function srgb() {
  const path = join(tmpdir(), 'formats-srgb.icc')
  const blank = sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
  const { icc } = await sharp(await blank.withIccProfile('srgb').png().toBuffer()).metadata()
  if (icc) writeFileSync(path, icc)
  return path
}

/** Samples of a picture on white, as an independent program (Debian's ImageMagick) sees its first frame; undefined where it can't. */
async function reference(/** @type {string} */ path) {
  try {
    const args = [
      `${path}[0]`,
      '-auto-orient',
      '-profile',
      await srgb(),
      '-colorspace',
      'sRGB',
      '-background',
      'white',
      '-alpha',
      'remove',
      '-depth',
      '8',
      'png:-',
    ]
    const png = execFileSync('convert', args, { maxBuffer: 1 << 30, timeout: 60_000, stdio: ['ignore', 'pipe', 'ignore'] })
    return await samples(png)
  } catch {
    return undefined
  }
}

async function samples(/** @type {Buffer} */ file) {
  return sharp(file, { limitInputPixels: false })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
}

/** @typedef {{ data: Buffer, info: import('sharp').OutputInfo }} Samples */

function difference(/** @type {Samples} */ a, /** @type {Samples} */ b) {
  if (a.info.width !== b.info.width || a.info.height !== b.info.height) return `${b.info.width}×${b.info.height}`
  let sum = 0
  const pixels = a.info.width * a.info.height
  const at = (/** @type {Samples} */ { data, info: { channels } }, /** @type {number} */ i, /** @type {number} */ c) =>
    data[i * channels + (channels < 3 ? 0 : c)] ?? 0
  for (let i = 0; i < pixels; i++) for (let c = 0; c < 3; c++) sum += Math.abs(at(a, i, c) - at(b, i, c))
  return sum / (pixels * 3)
}

async function measure(/** @type {EnginePool} */ pool, /** @type {string} */ category, /** @type {string} */ name) {
  const path = join(corpus, category, name)
  const out = mkdtempSync(join(tmpdir(), 'formats-'))
  const from = performance.now()
  try {
    const options = parseOptions('convert-image', { format: 'png', pages: 'first' })
    const [output] = await pool.run({ tool: 'convert-image', options, inputs: [{ path, name }] }, out)
    const ms = performance.now() - from
    if (output === undefined) throw new Error('no output')
    const theirs = await reference(path)
    const error = theirs && difference(await samples(readFileSync(output.path)), theirs)
    rows.push({ category, name, ms, code: 'ok', error })
  } catch (error) {
    rows.push({
      category,
      name,
      ms: performance.now() - from,
      code: error instanceof Error && 'code' in error ? String(error.code) : String(error),
      error: undefined,
    })
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** Converts the corpus, or some of its categories, to PNG and prints, a category a line, what was read and how far from another decoder. */
export async function bench(/** @type {readonly string[]} */ _present, /** @type {readonly string[]} */ wanted) {
  const pool = new EnginePool({ size: 2, limits: cloudLimits })
  const categories = readdirSync(corpus, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && (wanted.length === 0 || wanted.includes(entry.name)),
  )
  for (const { name: category } of categories) {
    const names = readdirSync(join(corpus, category))
    const queue = [...names]
    const worker = async () => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) await measure(pool, category, name)
    }
    await Promise.all([worker(), worker()])
    report(category)
  }
  pool.close()
}

function report(/** @type {string} */ category) {
  const files = rows.filter((row) => row.category === category)
  const read = files.filter(({ code }) => code === 'ok')
  const errors = read.map(({ error }) => error).filter((error) => typeof error === 'number')
  const mean = errors.length > 0 ? (errors.reduce((sum, error) => sum + error, 0) / errors.length).toFixed(2) : '–'
  const worst = errors.length > 0 ? Math.max(...errors).toFixed(2) : '–'
  const slowest = Math.max(...files.map(({ ms }) => ms)).toFixed(0)
  console.log(
    `${category.padEnd(14)} ${files.length} files, ${read.length} ok, compared ${errors.length}: mean ${mean}, worst ${worst}; slowest ${slowest} ms`,
  )
  for (const { name, code, error } of files) {
    if (code !== 'ok') console.log(`    ${name}: ${code}`)
    else if (typeof error === 'string') console.log(`    ${name}: the other decoder says ${error}`)
    else if (error !== undefined && error > 3) console.log(`    ${name}: ${error.toFixed(2)}`)
  }
}

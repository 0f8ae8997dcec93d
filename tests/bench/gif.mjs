import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import sharp from 'sharp'
import { animationSamples } from './gif-samples.mjs'
import { corpus, filesOf, folder, freshJobFolder, jobFolder, jobOf, quantile, tell } from './measure.mjs'
import { readBlocks } from '#engine/codecs/gif/gif-file'
import { encodePlan, wholePlan } from '#engine/codecs/gif/plan'
import { localLimits } from '#engine/limits'
import { simplify } from '#engine/image/pixels'
import { EnginePool } from '#engine/pool'

const LOSSY = [20, 40, 80, 120, 200]
/** From 2 in steps of 8 %. */
const LAMBDAS = Array.from({ length: 92 }, (_, step) => 2 * 1.08 ** step)

/** Frames of a GIF by libvips, and when each begins, in milliseconds. */
async function decoded(/** @type {string | Buffer} */ file) {
  const { data, info } = await sharp(file, { animated: true, limitInputPixels: false })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { pages = 1, delay = [], loop = 0 } = await sharp(file, { animated: true, limitInputPixels: false }).metadata()
  const height = info.height / pages
  let time = 0
  const starts = Array.from({ length: pages }, (_, at) => (time += at === 0 ? 0 : (delay[at - 1] ?? 0)))
  return { data, width: info.width, height, frames: pages, starts, animation: { frames: pages, delaysMs: delay, loop } }
}

/** @typedef {Awaited<ReturnType<typeof decoded>>} Decoded */

/** PSNR in dB of the squared error over all frames of the source, seen on white and on black; a frame left out shows the one before. */
function psnr(/** @type {Decoded} */ source, /** @type {Decoded} */ result) {
  const bytes = source.width * source.height * 4
  let sum = 0
  source.starts.forEach((start, frame) => {
    const shown =
      result.frames === source.frames
        ? frame
        : Math.max(
            0,
            result.starts.findLastIndex((time) => time <= start),
          )
    const [left, right] = [
      source.data.subarray(frame * bytes, (frame + 1) * bytes),
      result.data.subarray(shown * bytes, (shown + 1) * bytes),
    ]
    for (let at = 0; at < bytes; at += 4) {
      const [isLeft, isRight] = [(left[at + 3] ?? 0) > 127, (right[at + 3] ?? 0) > 127]
      for (let channel = at; channel < at + 3; channel++) {
        const [a, b] = [left[channel] ?? 0, right[channel] ?? 0]
        if (isLeft && isRight) sum += 2 * (a - b) ** 2
        else if (isLeft || isRight) sum += (isLeft ? a : b) ** 2 + (255 - (isLeft ? a : b)) ** 2
      }
    }
  })
  const mean = sum / (bytes * 1.5 * source.frames)
  return mean === 0 ? 99 : 10 * Math.log10(255 ** 2 / mean)
}

/** Our encoder on a file: bytes and true PSNR over lambda (what a bit may cost) and colours, each tried once. */
function encoderOf(/** @type {Buffer} */ file, /** @type {Decoded} */ source) {
  const { data, width, height, animation, frames } = source
  const pixels = simplify({ data, width, height, channels: 4, ...(frames > 1 && { animation }) })
  const plan = wholePlan(pixels, readBlocks(file))
  /** @type {Map<string, Promise<Point>>} */
  const known = new Map()
  const measure = async (/** @type {number} */ lambda, /** @type {number} */ colours) => {
    const { bytes } = encodePlan({ ...plan, colours }, lambda)
    return { bytes: bytes.length, db: psnr(source, await decoded(bytes)) }
  }
  return (/** @type {number} */ lambda, /** @type {number} */ colours) => {
    const key = `${lambda} ${colours}`
    const point = known.get(key) ?? measure(lambda, colours)
    known.set(key, point)
    return point
  }
}

/** @typedef {{ bytes: number, db: number }} Point */

/** Our smallest file of at least a PSNR: for each number of colours the greatest lambda that keeps it, by bisection. */
async function smallestAt(/** @type {number} */ db, /** @type {ReturnType<typeof encoderOf>} */ encode, /** @type {Point} */ original) {
  const found = [original, await encode(0, 256)]
  for (const colours of [256, 64, 32]) {
    let [low, high] = [0, LAMBDAS.length - 1]
    if ((await encode(LAMBDAS[0] ?? 1, colours)).db < db) continue
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((await encode(LAMBDAS[middle] ?? 1, colours)).db >= db) low = middle
      else high = middle
    }
    found.push(await encode(LAMBDAS[low] ?? 1, colours))
  }
  return found.filter((point) => point.db >= db).toSorted((left, right) => left.bytes - right.bytes)[0] ?? original
}

async function besideGifsicle(/** @type {string} */ path) {
  const file = readFileSync(path)
  const source = await decoded(file)
  const encode = encoderOf(file, source)
  /** @type {number[]} */
  const ratios = []
  const cells = []
  for (const lossy of LOSSY) {
    const peer = execFileSync('gifsicle', ['-O3', `--lossy=${lossy}`, path], { maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] })
    const db = psnr(source, await decoded(peer))
    const best = await smallestAt(db, encode, { bytes: file.length, db: 99 })
    ratios.push(best.bytes / peer.length)
    cells.push(`${(best.bytes / peer.length).toFixed(3)} (${db.toFixed(1)} dB, ${peer.length} B)`)
  }
  tell(basename(path).slice(0, 22), cells.join('  '))
  return ratios
}

/** Fill of the limit and time of whole jobs. */
async function toSizes(/** @type {readonly string[]} */ paths) {
  const pool = new EnginePool({ size: 1, limits: localLimits })
  console.log('\nTo a size: bytes / limit, ms')
  try {
    for (const path of paths) {
      const cells = []
      for (const share of [0.5, 0.2, 0.05]) {
        freshJobFolder()
        const targetKb = Math.max(1, Math.floor((readFileSync(path).length * share) / 102.4) / 10)
        const startedAt = performance.now()
        const [output] = await pool.run(jobOf(path, targetKb), jobFolder)
        cells.push(
          `${((output?.bytes ?? 0) / 1024 / targetKb).toFixed(3)} ${output?.note?.kind ?? 'full size'} ${Math.round(performance.now() - startedAt)} ms`,
        )
      }
      tell(basename(path).slice(0, 22), cells.join('  '))
    }
  } finally {
    pool.close()
  }
}

/** Compares our GIFs with gifsicle's at equal PSNR, and measures compression to a size; of files whose name begins so, or all. */
export async function bench(/** @type {readonly string[]} */ present, /** @type {readonly string[]} */ [only = '']) {
  if (!existsSync(corpus)) {
    console.log(`Skipped: the test pictures are not at ${corpus}.`)
    return
  }
  try {
    const paths = [...filesOf('gif'), ...(await animationSamples())].filter((path) => basename(path).startsWith(only))
    if (present.includes('gifsicle')) {
      console.log(`GIF: our bytes / gifsicle's at our PSNR >= its, gifsicle -O3 --lossy=${LOSSY.join(' ')}`)
      /** @type {number[]} */
      const ratios = []
      for (const path of paths) ratios.push(...(await besideGifsicle(path)))
      console.log(
        `Pairs ${ratios.length}, above 1: ${ratios.filter((ratio) => ratio > 1).length}, median ${quantile(ratios, 0.5).toFixed(3)}, max ${quantile(ratios, 1).toFixed(3)}`,
      )
    }
    await toSizes(paths)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

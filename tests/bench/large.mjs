import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { corpus, folder, freshJobFolder, jobFolder, tell } from './measure.mjs'
import { localLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'
import { parseOptions } from '#shared/tools/index'

const SIZE = { width: 6000, height: 4000 }
const MOST_GB = 1.2
const MOST_CANCEL_MS = 1000
/** By hand, so that no picture comes back as it is because it needs nothing. */
const strength = { by: 'manual', amount: 75 }
const EFFECTS = /** @type {const} */ ([
  ['denoise', { strength }],
  ['repair-jpeg', { strength }],
  ['sharpen', { strength }],
  ['upscale', {}],
  ['dehaze', { strength }],
  ['enhance-contrast', { strength }],
  ['enhance-colour', { strength }],
  ['unstretch', {}],
  ['unstretch', { ratio: { by: 'manual', width: 125 }, method: 'seams' }],
  ['colourize', {}],
  ['remove-moire', { strength }],
  ['scan-document', { strength, corners: { by: 'manual', x1: 0.1, y1: 0.08, x2: 0.92, y2: 0.1, x3: 0.95, y3: 0.9, x4: 0.06, y4: 0.93 } }],
])

/** A photo of 24 megapixels as a JPEG. */
async function largePhoto() {
  const source = join(corpus, 'photo_big', 'Samsung_SM-G935L_Galaxy_S7_Edge.jpg')
  const path = join(folder, 'large.jpg')
  const noise = { type: /** @type {const} */ ('gaussian'), mean: 128, sigma: 30 }
  const blank = { ...SIZE, channels: /** @type {const} */ (3), background: '#888', noise }
  const picture = existsSync(source) ? sharp(source).autoOrient().resize(SIZE.width, SIZE.height) : sharp({ create: blank })
  await picture.jpeg({ quality: 90 }).toFile(path)
  return path
}

/** Until a process works no more: it is gone, or dead and waits for the system to take note of that. */
async function ended(/** @type {number} */ pid) {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')
    if (/\) [ZX]/.test(stat)) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** An effect on a photo: seconds, peak memory of its process, how often and at what longest distance it told how far it was. */
async function measured(/** @type {EnginePool} */ pool, /** @type {Parameters<EnginePool['run']>[0]} */ job) {
  freshJobFolder()
  const from = performance.now()
  let [peak, told, last, silence] = [0, 0, from, 0]
  const progress = () => {
    const now = performance.now()
    told += 1
    silence = Math.max(silence, now - last)
    last = now
  }
  await pool.run(job, jobFolder, { progress, peak: (bytes) => (peak = bytes) })
  return { seconds: (performance.now() - from) / 1000, peak: peak / 1e9, told, silence: silence / 1000 }
}

/** Cancels an effect after so many milliseconds; how long it took until its job had ended and its process worked no more. */
async function cancelled(/** @type {EnginePool} */ pool, /** @type {Parameters<EnginePool['run']>[0]} */ job, /** @type {number} */ after) {
  freshJobFolder()
  const stop = new AbortController()
  const running = pool.run(job, jobFolder, { signal: stop.signal }).then(
    () => 'done',
    (/** @type {unknown} */ error) => error instanceof Error && 'code' in error && error.code,
  )
  await new Promise((resolve) => setTimeout(resolve, after))
  const [pid] = pool.pids
  const from = performance.now()
  stop.abort()
  const outcome = await running
  if (outcome !== 'job.cancelled' || pid === undefined) return NaN
  await ended(pid)
  return performance.now() - from
}

/** Each effect on a photo of 24 megapixels in a process of its own: peak memory, progress, and how soon it stops when it is cancelled half-way. */
export async function bench(/** @type {unknown} */ _present, /** @type {readonly string[]} */ words) {
  const path = await largePhoto()
  tell('# effect', 'seconds, peak GB, told how far (times, longest silence in s), cancelled half-way (ms until its process has ended)')
  for (const [tool, options] of EFFECTS.filter(([name]) => words.length === 0 || words.includes(name))) {
    const pool = new EnginePool({ size: 1, limits: localLimits })
    const job = { tool, options: parseOptions(tool, options), inputs: /** @type {const} */ ([{ path, name: 'large.jpg' }]) }
    const { seconds, peak, told, silence } = await measured(pool, job)
    const stopped = await cancelled(pool, job, 500 * seconds)
    const isHeld = peak <= MOST_GB && stopped <= MOST_CANCEL_MS
    tell(
      tool,
      `${seconds.toFixed(1).padStart(6)}${peak.toFixed(2).padStart(6)}${String(told).padStart(5)} ${silence.toFixed(1).padStart(4)}${stopped.toFixed(0).padStart(6)}  ${isHeld ? 'held' : 'OPEN'}`,
    )
    pool.close()
  }
}

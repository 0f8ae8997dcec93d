import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { corpus, filesOf, tell } from './measure.mjs'

/**
 * A clean picture to be degraded. Methods are tuned on those that are not held back, and told by those that are.
 * @typedef {{ name: string, isHeldBack: boolean, data: Uint8Array, width: number, height: number }} Clean
 * One line of the table: a set of pictures and what its baseline, its goal and the effect come to there. `cpu` is seconds of processor a megapixel.
 * @typedef {{ set: string, measure: string, source?: number, baseline?: number, ours: number, goal: string, isHeld: boolean, cpu?: number }} Line
 */

/** The longer side of photos that are made small, so that what their cameras left in them is gone. */
const PHOTO_SIDE = 1024

/** The clean pictures of the corpus: kodak as they are, larger photos made small; every other one is held back. @returns {Promise<Clean[]>} */
export async function cleanPictures() {
  const paths = [...filesOf('kodak'), ...filesOf('photo_mid')]
  return Promise.all(
    paths.map(async (path, at) => {
      const upright = sharp(path).autoOrient().removeAlpha().toColourspace('srgb')
      const small = path.includes('kodak') ? upright : upright.resize({ width: PHOTO_SIDE, height: PHOTO_SIDE, fit: 'inside' })
      const { data, info } = await small.raw().toBuffer({ resolveWithObject: true })
      return { name: basename(path), isHeldBack: at % 2 === 1, data: new Uint8Array(data), width: info.width, height: info.height }
    }),
  )
}

/** Peak signal-to-noise ratio of two pictures' samples, in dB. */
export function psnr(/** @type {ArrayLike<number>} */ a, /** @type {ArrayLike<number>} */ b) {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += ((a[at] ?? 0) - (b[at] ?? 0)) ** 2
  return 10 * Math.log10((255 * 255 * a.length) / Math.max(1e-9, sum))
}

/** Numbers that look random and are the same in every run (mulberry32). */
export function seeded(/** @type {number} */ seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Normally distributed numbers of mean 0 and deviation 1 (Box and Muller 1958), the same in every run. */
export function gaussian(/** @type {number} */ seed) {
  const random = seeded(seed)
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Seconds of processor a call takes, beside what it returns. @template T @param {() => T | Promise<T>} run @returns {Promise<{ result: T, cpu: number }>} */
export async function timed(run) {
  const before = process.cpuUsage()
  const result = await run()
  const { user, system } = process.cpuUsage(before)
  return { result, cpu: (user + system) / 1e6 }
}

const shown = (/** @type {number | undefined} */ value) => (value === undefined ? '' : value.toFixed(value < 10 ? 3 : 2)).padStart(9)

function print(/** @type {Line} */ { set, measure, source, baseline, ours, goal, isHeld, cpu }) {
  tell(
    set.padEnd(26),
    `${measure.padEnd(12)}${shown(source)}${shown(baseline)}${shown(ours)}${shown(cpu)}  ${isHeld ? 'held' : 'OPEN'}  ${goal}`,
  )
}

/** Every effect, or those named, on degraded pictures of the corpus against its baseline. */
export async function bench(/** @type {unknown} */ _present, /** @type {readonly string[]} */ words) {
  if (!existsSync(corpus)) {
    console.log(`Skipped: the test pictures are not at ${corpus}.`)
    return
  }
  const folder = fileURLToPath(new URL('effects/', import.meta.url))
  const names = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  const pictures = await cleanPictures()
  for (const name of names.filter((one) => words.length === 0 || words.includes(basename(one, '.mjs')))) {
    console.log(`\n== ${basename(name, '.mjs')}: source, baseline, ours, processor s/MP`)
    /** @type {{ lines: (pictures: Clean[]) => Promise<Line[]> }} */
    const { lines } = await import(join(folder, name))
    for (const line of await lines(pictures)) print(line)
  }
}

import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { corpus, filesOf, tell } from './measure.mjs'

/**
 * A clean picture to be degraded. Methods are tuned on those that are not held back, and told by those that are.
 * @typedef {{ name: string, isHeldBack: boolean, data: Uint8Array, width: number, height: number }} Clean
 * One line of the table: a set of pictures, what its baseline and the effect come to there, and whether its goal is held. `cpu` is seconds of
 * processor a megapixel.
 * @typedef {{ set: string, measure: string, source?: number, baseline?: number, ours: number, goal: string, isHeld: boolean, cpu?: number }} Line
 */

/** What is told of an effect: its lines, what they are compared with, and the seconds of processor they took. @typedef {{ name: string, against: string, lines: readonly Line[], seconds: number }} Told */

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

/** What a half of the pictures is for. */
export const halfOf = (/** @type {boolean} */ isHeldBack) => (isHeldBack ? 'held back' : 'tuned on')

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
    set.padEnd(38),
    `${measure.padEnd(14)}${shown(source)}${shown(baseline)}${shown(ours)}${shown(cpu)}  ${isHeld ? 'held' : 'OPEN'}  ${goal}`,
  )
}

/** An effect's lines; none, and what went wrong, where its bench fails: those after it have their turn all the same. @returns {Promise<Told>} */
async function tried(/** @type {string} */ path, /** @type {Clean[]} */ pictures) {
  const name = basename(path, '.mjs')
  console.log(`\n== ${name}`)
  /** @type {{ against: string, lines: (pictures: Clean[]) => Promise<Line[]> }} */
  const { against, lines } = await import(path)
  try {
    const { result, cpu } = await timed(() => lines(pictures))
    for (const line of result) print(line)
    return { name, against, lines: result, seconds: cpu }
  } catch (thrown) {
    console.error(thrown)
    process.exitCode = 1
    return { name, against, lines: [], seconds: 0 }
  }
}

/** Every effect, or those named, on degraded pictures of the corpus against its baseline. */
export async function bench(/** @type {unknown} */ _present, /** @type {readonly string[]} */ words) {
  if (!existsSync(corpus)) {
    console.log(`Skipped: the test pictures are not at ${corpus}.`)
    return
  }
  const folder = fileURLToPath(new URL('effects/', import.meta.url))
  const names = readdirSync(folder).filter((name) => words.length === 0 || words.includes(basename(name, '.mjs')))
  const pictures = await cleanPictures()
  /** @type {Told[]} */
  const all = []
  for (const name of names) all.push(await tried(join(folder, name), pictures))
  console.log('\n# source, baseline, ours, processor s/MP')
  for (const { name, against, lines, seconds } of all) {
    const held = lines.filter(({ isHeld }) => isHeld).length
    console.log(`\n== ${name} against: ${against}; ${held} of ${lines.length} goals held; ${seconds.toFixed(0)} s of processor`)
    for (const line of lines) print(line)
  }
}

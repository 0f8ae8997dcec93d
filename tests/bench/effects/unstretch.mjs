import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { corpus } from '../measure.mjs'
import { seeded, timed } from '../effects.mjs'
import { findFaces } from '#engine/ai/faces'
import { cluesOf } from '#engine/effects/stretch-clues'
import { stretchOf } from '#shared/effects/unstretch/stretch'

/**
 * @typedef {import('../effects.mjs').Clean} Clean
 * @typedef {import('../effects.mjs').Line} Line
 */

const demos = fileURLToPath(new URL('../../../node_modules/@vladmandic/face-api/demo', import.meta.url))
/** How near a stretching has to be found. */
const NEAR = 0.03
const STRETCHES = [0.7, 0.8, 0.9, 1.12, 1.25, 1.4]
const LONGEST = 1000

export const against = 'the picture as it is'

/** A scene of circles, boxes and lines, 640 by 480. */
function scene(/** @type {number} */ seed) {
  const random = seeded(seed)
  const colour = () => `rgb(${[0, 1, 2].map(() => Math.floor(random() * 256)).join(',')})`
  const some = (/** @type {number} */ count, /** @type {() => string} */ make) => Array.from({ length: count }, make).join('')
  const boxes = some(
    6,
    () =>
      `<rect x="${random() * 640}" y="${random() * 480}" width="${20 + random() * 120}" height="${20 + random() * 120}" fill="${colour()}" transform="rotate(${random() * 60})"/>`,
  )
  const rounds = some(
    5,
    () =>
      `<circle cx="${60 + random() * 520}" cy="${60 + random() * 360}" r="${20 + random() * 50}" fill="${colour()}" stroke="${colour()}" stroke-width="${random() * 6}"/>`,
  )
  const strokes = some(
    5,
    () =>
      `<line x1="${random() * 640}" y1="${random() * 480}" x2="${random() * 640}" y2="${random() * 480}" stroke="${colour()}" stroke-width="2"/>`,
  )
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#ccd3dd"/>${boxes}${rounds}${strokes}</svg>`,
    ),
  )
    .removeAlpha()
    .png()
    .toBuffer()
}

/** A picture so many times too wide, and what is found in it. */
async function found(/** @type {Buffer | string} */ source, /** @type {number} */ stretch) {
  const { width, height } = (await sharp(source).metadata()).autoOrient
  const scale = Math.min(1, LONGEST / Math.max(width, height))
  const size = { width: Math.round(width * scale * stretch), height: Math.round(height * scale), fit: /** @type {const} */ ('fill') }
  const { data, info } = await sharp(source)
    .autoOrient()
    .flatten({ background: '#fff' })
    .resize(size)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = { data, width: info.width, height: info.height, channels: /** @type {const} */ (3) }
  const { result, cpu } = await timed(async () => stretchOf(await cluesOf(pixels, await findFaces(pixels))))
  return { found: result ?? 1, cpu: cpu / ((info.width * info.height) / 1e6) }
}

const portion = (/** @type {number[]} */ offs) => offs.filter((off) => Math.abs(Math.log(off)) <= Math.log(1 + NEAR)).length / offs.length

/** How often stretching is found within three percent, and pictures that were not stretched are left alone. */
async function line(
  /** @type {string} */ set,
  /** @type {readonly (Buffer | string)[]} */ sources,
  /** @type {readonly number[]} */ stretches,
  /** @type {number} */ goal,
) {
  /** @type {number[]} */
  const offs = []
  let seconds = 0
  for (const source of sources) {
    for (const stretch of stretches) {
      const { found: one, cpu } = await found(source, stretch)
      offs.push(one / stretch)
      seconds += cpu
    }
  }
  const ours = portion(offs)
  const baseline = portion(sources.flatMap(() => stretches.map((stretch) => 1 / stretch)))
  /** @type {Line} */
  const told = { set, measure: 'within 3%', baseline, ours, goal: `>= ${goal}`, isHeld: ours >= goal, cpu: seconds / offs.length }
  return told
}

/** Drawn circles and photographed faces stretched 0.7 to 1.4 times, and pictures that are as they should be; the baseline leaves all as it is. */
export async function lines(/** @type {Clean[]} */ pictures) {
  const scenes = await Promise.all(Array.from({ length: 24 }, (_, at) => scene(at + 1)))
  const folder = join(corpus, 'portrait')
  const people = [folder, demos].flatMap((path) =>
    existsSync(path)
      ? readdirSync(path)
          .filter((name) => /\.jpe?g$/.test(name) && !/screenshot/.test(name))
          .map((name) => join(path, name))
      : [],
  )
  const files = await Promise.all(
    pictures.map(({ data, width, height }) =>
      sharp(Buffer.from(data), { raw: { width, height, channels: 3 } })
        .png()
        .toBuffer(),
    ),
  )
  return [
    await line('circles tuned on', scenes.slice(0, 12), STRETCHES, 0.8),
    await line('circles held back', scenes.slice(12), STRETCHES, 0.8),
    await line('faces', people, STRETCHES, 0.8),
    await line('not stretched', [...scenes, ...people, ...files], [1], 0.95),
  ]
}

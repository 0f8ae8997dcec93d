import { halfOf, timed } from '../effects.mjs'
import { mean } from '../measure.mjs'
import { leftOutPhotos } from './light-photos.mjs'
import { enhanceColour } from '#shared/effects/enhance-colour/enhance-colour'
import { applyTo } from '#shared/effects/parts'
import { parseOptions } from '#shared/tools/index'

/**
 * @typedef {import('../effects.mjs').Clean} Clean
 * @typedef {import('../effects.mjs').Line} Line
 * @typedef {readonly [number, number, number]} Light
 */

export const against = 'grey world'

const linear = (/** @type {number} */ v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const stored = (/** @type {number} */ v) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)

/** Casts as gains in linear light, the strongest channel at 1 so that nothing is cut off. @type {Record<string, Light>} */
const casts = {
  warm: [1, 0.9, 0.8],
  cool: [0.8, 0.9, 1],
  green: [0.82, 1, 0.82],
  magenta: [1, 0.82, 1],
  yellow: [1, 1, 0.8],
  cyan: [0.8, 1, 1],
}
const NONE = /** @type {const} */ ([1, 1, 1])
/** A cast of fewer degrees is hardly seen. */
const UNSEEN = 3

/** The angle of a light with white, in degrees. */
function angle(/** @type {Light} */ [r, g, b]) {
  return (Math.acos(Math.min(1, (r + g + b) / Math.sqrt(3 * (r * r + g * g + b * b)))) * 180) / Math.PI
}

const times = (/** @type {Light} */ a, /** @type {Light} */ b) => /** @type {Light} */ ([a[0] * b[0], a[1] * b[1], a[2] * b[2]])
const over = (/** @type {Light} */ a, /** @type {Light} */ b) => /** @type {Light} */ ([a[0] / b[0], a[1] / b[1], a[2] / b[2]])

/** A picture under another light. @returns {Clean} */
function relit(/** @type {Clean} */ clean, /** @type {Light} */ cast) {
  const tables = cast.map((gain) =>
    Uint8Array.from({ length: 256 }, (_, level) => Math.round(255 * stored(Math.min(1, gain * linear(level / 255))))),
  )
  return { ...clean, data: clean.data.map((level, at) => tables[at % 3]?.[level] ?? 0) }
}

/** Grey world: the gains that make a picture's mean grey. @returns {Light} */
function greyWorld(/** @type {Clean} */ { data }) {
  const sums = [0, 0, 0]
  for (let at = 0; at < data.length; at++) sums[at % 3] = (sums[at % 3] ?? 0) + linear((data[at] ?? 0) / 255)
  return [1 / (sums[0] || 1), 1 / (sums[1] || 1), 1 / (sums[2] || 1)]
}

const options = parseOptions('enhance-colour', {})

/** Degrees a cast is off white: before, after grey world, after ours. `relative`: beside what each makes of the picture without a cast. */
async function measured(/** @type {readonly Clean[]} */ pictures, /** @type {boolean} */ isRelative) {
  /** @type {{ source: number[], baseline: number[], ours: number[], cpu: number[] }} */
  const got = { source: [], baseline: [], ours: [], cpu: [] }
  for (const clean of pictures) {
    const gainsOf = (/** @type {Clean} */ picture) => enhanceColour.measure(picture, options, {})?.gains ?? NONE
    const [own, world] = isRelative ? [gainsOf(clean), greyWorld(clean)] : [NONE, NONE]
    for (const cast of Object.values(casts)) {
      const picture = relit(clean, cast)
      const { result, cpu } = await timed(() => {
        const measure = enhanceColour.measure(picture, options, {})
        if (measure) applyTo(enhanceColour, picture, measure, { left: 0, top: 0, width: picture.width, height: picture.height })
        return measure?.gains ?? NONE
      })
      got.source.push(angle(cast))
      got.baseline.push(angle(over(times(cast, greyWorld(picture)), world)))
      got.ours.push(angle(over(times(cast, result), own)))
      got.cpu.push((cpu * 1e6) / (picture.width * picture.height))
    }
  }
  return { source: mean(got.source), baseline: mean(got.baseline), ours: mean(got.ours), cpu: mean(got.cpu) }
}

/** By how many degrees pictures as they are are moved, on average. */
function moved(/** @type {readonly Clean[]} */ pictures) {
  return mean(pictures.map((clean) => angle(enhanceColour.measure(clean, options, {})?.gains ?? NONE)))
}

/**
 * Six casts against grey world: what is left of them. The corpus's own pictures have casts (kodak's film is greenish), so there what is made of each
 * without a cast is what counts; photos of sources that nothing was trained on are taken for lit in white.
 */
export async function lines(/** @type {readonly Clean[]} */ pictures) {
  /** @type {Line[]} */
  const out = []
  const isCut = (/** @type {{ source: number, ours: number }} */ { source, ours }) => ours <= 0.4 * source
  for (const isHeldBack of [false, true]) {
    const half = halfOf(isHeldBack)
    const all = pictures.filter((picture) => picture.isHeldBack === isHeldBack)
    const [relative, absolute] = [await measured(all, true), await measured(all, false)]
    const set = `six casts, ${half}`
    out.push({ set, measure: 'degrees rel', ...relative, goal: 'source -60 %', isHeld: isCut(relative) })
    out.push({ set, measure: 'degrees', ...absolute, goal: '< baseline', isHeld: absolute.ours < absolute.baseline })
  }
  const photos = await leftOutPhotos()
  if (!photos) {
    console.log('Skipped: photos of sources that nothing was trained on are not beside the corpus.')
    return out
  }
  const [lit, none] = [await measured(photos, false), moved(photos)]
  out.push({ set: `six casts, ${photos.length} photos left out`, measure: 'degrees', ...lit, goal: 'source -60 %', isHeld: isCut(lit) })
  out.push({
    set: `no cast, ${photos.length} photos left out`,
    measure: 'degrees',
    ours: none,
    goal: `<= ${UNSEEN}`,
    isHeld: none <= UNSEEN,
  })
  return out
}

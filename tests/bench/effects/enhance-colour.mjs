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

/** What is left of light under gains, beside what the same makes of the picture without a cast. */
const beside = (/** @type {Light} */ light, /** @type {Light} */ gains, /** @type {Light} */ own) => angle(over(times(light, gains), own))

/**
 * Mean degrees that casts are off white: before, after grey world, after ours; pictures taken for lit in white, and (`relative`) beside what each way
 * makes of them without a cast. `none`: by how many degrees they are moved without one.
 */
async function measured(/** @type {readonly Clean[]} */ pictures) {
  const fresh = () => ({ source: /** @type {number[]} */ ([]), baseline: /** @type {number[]} */ ([]), ours: /** @type {number[]} */ ([]) })
  const [absolute, relative] = [fresh(), fresh()]
  const [cpu, none] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
  for (const clean of pictures) {
    const [own, ownWorld] = [enhanceColour.measure(clean, options, {})?.gains ?? NONE, greyWorld(clean)]
    none.push(angle(own))
    for (const cast of Object.values(casts)) {
      const picture = relit(clean, cast)
      const { result, cpu: seconds } = await timed(() => {
        const measure = enhanceColour.measure(picture, options, {})
        if (measure) applyTo(enhanceColour, picture, measure, { left: 0, top: 0, width: picture.width, height: picture.height })
        return measure?.gains ?? NONE
      })
      const world = greyWorld(picture)
      for (const [got, base, ours] of /** @type {const} */ ([
        [absolute, NONE, NONE],
        [relative, ownWorld, own],
      ])) {
        got.source.push(angle(cast))
        got.baseline.push(beside(cast, world, base))
        got.ours.push(beside(cast, result, ours))
      }
      cpu.push((seconds * 1e6) / (picture.width * picture.height))
    }
  }
  const means = (/** @type {ReturnType<typeof fresh>} */ { source, baseline, ours }) => ({
    source: mean(source),
    baseline: mean(baseline),
    ours: mean(ours),
    cpu: mean(cpu),
  })
  return { absolute: means(absolute), relative: means(relative), none: mean(none) }
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
    const { relative, absolute } = await measured(all)
    const set = `six casts, ${half}`
    out.push({ set, measure: 'degrees rel', ...relative, goal: 'source -60 %', isHeld: isCut(relative) })
    out.push({ set, measure: 'degrees', ...absolute, goal: '< baseline', isHeld: absolute.ours < absolute.baseline })
  }
  const photos = await leftOutPhotos()
  if (!photos) {
    console.log('Skipped: photos of sources that nothing was trained on are not beside the corpus.')
    return out
  }
  const { absolute: lit, none } = await measured(photos)
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

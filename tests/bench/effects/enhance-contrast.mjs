import sharp from 'sharp'
import { halfOf, psnr, timed } from '../effects.mjs'
import { mean } from '../measure.mjs'
import { enhanceContrast } from '#shared/effects/enhance-contrast/enhance-contrast'
import { applyTo } from '#shared/effects/parts'
import { parseOptions } from '#shared/tools/index'

/**
 * @typedef {import('../effects.mjs').Clean} Clean
 * @typedef {import('../effects.mjs').Line} Line
 * @typedef {{ data: Uint8Array, width: number, height: number }} Rgb
 */

export const against = 'normalise and CLAHE of sharp'

const linear = (/** @type {number} */ v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const stored = (/** @type {number} */ v) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)

/** How a picture is made flat, level 0..1 by level. @type {Record<string, (value: number) => number>} */
const flattened = {
  'contrast x0.5, lifted': (v) => 0.5 * v + 0.25,
  'contrast x0.5, dark': (v) => 0.5 * v + 0.08,
  'underexposed 1.5 EV': (v) => stored(linear(v) * 2 ** -1.5),
  'gamma 1.7': (v) => v ** 1.7,
  'gamma 0.6': (v) => v ** 0.6,
  'as it is': (v) => v,
}

const luma = (/** @type {ArrayLike<number>} */ data, /** @type {number} */ at) =>
  0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)

/** The standard deviation of a picture's luma. */
function rms(/** @type {ArrayLike<number>} */ data) {
  let [sum, squares] = [0, 0]
  for (let at = 0; at < data.length; at += 3) {
    const value = luma(data, at)
    sum += value
    squares += value * value
  }
  const count = data.length / 3
  return Math.sqrt(squares / count - (sum / count) ** 2)
}

/** Percent of the pixels that had no channel at its end before and have one now. */
function clipped(/** @type {ArrayLike<number>} */ before, /** @type {ArrayLike<number>} */ after) {
  const isAtEnd = (/** @type {ArrayLike<number>} */ data, /** @type {number} */ at) =>
    [0, 1, 2].some((channel) => data[at + channel] === 0 || data[at + channel] === 255)
  let [free, lost] = [0, 0]
  for (let at = 0; at < before.length; at += 3) {
    if (isAtEnd(before, at)) continue
    free += 1
    if (isAtEnd(after, at)) lost += 1
  }
  return (100 * lost) / Math.max(1, free)
}

/** Mean SSIM (Wang et al. 2004) of luma in squares of 8 pixels, four apart. */
function similarity(/** @type {Rgb} */ { data, width, height }, /** @type {ArrayLike<number>} */ other) {
  let [sum, count] = [0, 0]
  for (let top = 0; top + 8 <= height; top += 4) {
    for (let left = 0; left + 8 <= width; left += 4, count++) {
      let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0]
      for (let at = 0; at < 64; at++) {
        const from = ((top + (at >> 3)) * width + left + (at & 7)) * 3
        const [one, two] = [luma(data, from), luma(other, from)]
        a += one / 64
        b += two / 64
        aa += (one * one) / 64
        bb += (two * two) / 64
        ab += (one * two) / 64
      }
      const [va, vb, both] = [aa - a * a, bb - b * b, ab - a * b]
      sum += ((2 * a * b + 6.5) * (2 * both + 58.5)) / ((a * a + b * b + 6.5) * (va + vb + 58.5))
    }
  }
  return sum / Math.max(1, count)
}

const rawOf = async (/** @type {import('sharp').Sharp} */ image) => new Uint8Array(await image.raw().toBuffer())

/** What one set comes to: the picture made flat, the baselines and ours, each against the original. */
async function measured(/** @type {readonly Clean[]} */ pictures, /** @type {(value: number) => number} */ flatten) {
  const table = Uint8Array.from({ length: 256 }, (_, level) => Math.round(255 * Math.max(0, Math.min(1, flatten(level / 255)))))
  /** @type {Record<string, number[]>} */
  const got = {}
  const add = (/** @type {string} */ key, /** @type {number} */ value) => (got[key] ??= []).push(value)
  for (const clean of pictures) {
    const flat = { ...clean, data: clean.data.map((level) => table[level] ?? 0) }
    const raw = { raw: { width: flat.width, height: flat.height, channels: /** @type {const} */ (3) } }
    const { result, cpu } = await timed(() => {
      const measure = enhanceContrast.measure(flat, parseOptions('enhance-contrast', {}), {})
      return measure ? applyTo(enhanceContrast, flat, measure, { left: 0, top: 0, width: flat.width, height: flat.height }).data : flat.data
    })
    add('cpu', (cpu * 1e6) / (flat.width * flat.height))
    const normalised = await rawOf(sharp(flat.data, raw).normalise())
    const clahe = await rawOf(sharp(flat.data, raw).clahe({ width: flat.width >> 3, height: flat.height >> 3, maxSlope: 3 }))
    for (const [name, data] of Object.entries({ flat: flat.data, normalise: normalised, clahe, ours: result })) {
      add(`${name} psnr`, psnr(data, clean.data))
      add(`${name} ssim`, similarity(clean, data))
      add(`${name} rms`, rms(data) / rms(clean.data))
      add(`${name} clip`, clipped(flat.data, data))
    }
  }
  return (/** @type {string} */ key) => mean(got[key] ?? [])
}

const more = (/** @type {number} */ ours, /** @type {number} */ peer) => ours > peer

/** What is told of each set: a measure, whom it is compared with, and the goal. @type {readonly (readonly [string, string, 'normalise' | 'clahe', string, (ours: number, peer: number) => boolean])[]} */
const told = [
  ['PSNR dB', 'psnr', 'normalise', '> normalise', more],
  ['PSNR dB', 'psnr', 'clahe', '> CLAHE', more],
  ['SSIM', 'ssim', 'normalise', '> normalise', more],
  ['contrast', 'rms', 'normalise', '0.85 to 1.15', (ours) => Math.abs(ours - 1) <= 0.15],
  ['clipped %', 'clip', 'normalise', '<= 0.5', (ours) => ours <= 0.5],
]

/** Pictures made flat by script against sharp's normalise and CLAHE, told by what they were. */
export async function lines(/** @type {readonly Clean[]} */ pictures) {
  /** @type {Line[]} */
  const out = []
  for (const [name, flatten] of Object.entries(flattened)) {
    for (const isHeldBack of [false, true]) {
      const of = await measured(
        pictures.filter((picture) => picture.isHeldBack === isHeldBack),
        flatten,
      )
      const [set, cpu] = [`${name}, ${halfOf(isHeldBack)}`, of('cpu')]
      for (const [measure, key, peer, goal, isHeld] of told) {
        const [source, baseline, ours] = [of(`flat ${key}`), of(`${peer} ${key}`), of(`ours ${key}`)]
        out.push({ set, measure, source, baseline, ours, goal, isHeld: isHeld(ours, baseline), cpu })
      }
    }
  }
  return out
}

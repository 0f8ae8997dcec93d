import sharp from 'sharp'
import { halfOf, psnr, timed } from '../effects.mjs'
import { mean } from '../measure.mjs'
import { removeMoire } from '#shared/effects/remove-moire/remove-moire'
import { applyTo } from '#shared/effects/parts'
import { parseOptions } from '#shared/tools/index'

/**
 * @typedef {import('../effects.mjs').Clean} Clean
 * @typedef {import('../effects.mjs').Line} Line
 */

export const against = 'Gaussian blur of 1.2 px'

const TURN = 2 * Math.PI

/** A picture with a wave added to each channel. */
function waved(/** @type {Clean} */ clean, /** @type {(x: number, y: number, channel: number) => number} */ wave) {
  const data = new Uint8ClampedArray(clean.data.length)
  for (let y = 0, at = 0; y < clean.height; y++) {
    for (let x = 0; x < clean.width; x++)
      for (let channel = 0; channel < 3; channel++, at++) data[at] = (clean.data[at] ?? 0) + wave(x, y, channel)
  }
  return new Uint8Array(data.buffer)
}

/**
 * A picture shown on a drawn screen (each of its pixels three stripes and a gap) and photographed a little turned, at a scale near the screen's
 * own: what a camera's pixel sees is the mean of 4 x 4 places.
 */
function photographed(/** @type {Clean} */ clean, /** @type {boolean} */ isPlain) {
  const { width, height, data } = clean
  const out = new Uint8ClampedArray(data.length)
  const [pitch, angle] = [0.93, 0.035]
  const [cos, sin] = [Math.cos(angle) / pitch, Math.sin(angle) / pitch]
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      for (let channel = 0; channel < 3; channel++) {
        let light = 0
        for (let tap = 0; tap < 16; tap++) {
          const [u, v] = [x + (tap % 4) / 4, y + (tap >> 2) / 4]
          const [across, down] = [u * cos - v * sin + 1000, u * sin + v * cos + 1000]
          const stripe = across - Math.floor(across)
          const isLit = stripe >= channel * 0.31 && stripe < channel * 0.31 + 0.28 && down - Math.floor(down) < 0.86
          light += isLit ? 1 : 0
        }
        const share = isPlain ? 0.28 * 0.86 : light / 16
        // A screen is photographed so that it looks as bright as its picture; a lens blurs, so the stripes keep a third of their contrast.
        out[at + channel] = (data[at + channel] ?? 0) * (0.67 + (0.33 * share) / (0.28 * 0.86)) * 0.85
      }
    }
  }
  return new Uint8Array(out.buffer)
}

/** How a pattern comes into a picture, and what the picture was without it. @type {Record<string, (clean: Clean) => { data: Uint8Array, truth: Uint8Array }>} */
const sets = {
  'two gratings (prototype)': (clean) => ({
    truth: clean.data,
    data: waved(clean, (x, y, channel) => {
      const both = 14 * Math.sin(TURN * (x * 0.21 + y * 0.09))
      return both + 10 * Math.sin(TURN * (x * 0.13 - y * 0.27) + 1) * (channel === 1 ? 1 : -0.5)
    }),
  }),
  'slowly changing': (clean) => ({
    truth: clean.data,
    data: waved(clean, (x, y) => 14 * Math.sin(TURN * (x * 0.16 + y * 0.07 + x * x * 0.000_03 + y * x * 0.000_02))),
  }),
  'colour only': (clean) => ({
    truth: clean.data,
    data: waved(clean, (x, y, channel) => 14 * Math.sin(TURN * (x * 0.09 + y * 0.05 + y * y * 0.000_02) + channel * 2.1)),
  }),
  'screen, turned': (clean) => ({ truth: photographed(clean, true), data: photographed(clean, false) }),
  'as it is': (clean) => ({ truth: clean.data, data: clean.data }),
}

/** What one set comes to. */
async function measured(
  /** @type {readonly Clean[]} */ pictures,
  /** @type {(clean: Clean) => { data: Uint8Array, truth: Uint8Array }} */ spoil,
) {
  /** @type {{ source: number[], baseline: number[], ours: number[], cpu: number[], change: number[] }} */
  const got = { source: [], baseline: [], ours: [], cpu: [], change: [] }
  for (const clean of pictures) {
    const { data, truth } = spoil(clean)
    const picture = { ...clean, data }
    const { width, height } = clean
    const { result, cpu } = await timed(() => {
      const measure = removeMoire.measure(picture, parseOptions('remove-moire', {}), {})
      return measure ? applyTo(removeMoire, picture, measure, { left: 0, top: 0, width, height }).data : data
    })
    const blurred = await sharp(data, { raw: { width, height, channels: 3 } })
      .blur(1.2)
      .raw()
      .toBuffer()
    got.source.push(psnr(data, truth))
    got.baseline.push(psnr(blurred, truth))
    got.ours.push(psnr(result, truth))
    got.cpu.push((cpu * 1e6) / (width * height))
    got.change.push(mean([...data].map((level, at) => Math.abs(level - (result[at] ?? 0)) / 2.55)))
  }
  return { source: mean(got.source), baseline: mean(got.baseline), ours: mean(got.ours), cpu: mean(got.cpu), change: got.change }
}

/** Patterns drawn into pictures, against a blur, told by what the pictures were; and by how much clean pictures change. */
export async function lines(/** @type {readonly Clean[]} */ pictures) {
  /** @type {Line[]} */
  const out = []
  for (const [name, spoil] of Object.entries(sets)) {
    for (const isHeldBack of [false, true]) {
      const of = await measured(
        pictures.filter((picture) => picture.isHeldBack === isHeldBack),
        spoil,
      )
      const { source, ours, cpu } = of
      const set = `${name}, ${halfOf(isHeldBack)}`
      const most = Math.max(...of.change)
      const [least, goal] = name.startsWith('two') ? [source + 8, 'source +8'] : [of.baseline, '> baseline']
      if (name === 'as it is') out.push({ set, measure: 'most change %', ours: most, goal: '<= 0.1 each', isHeld: most <= 0.1, cpu })
      else out.push({ set, measure: 'PSNR dB', source, baseline: of.baseline, ours, goal, isHeld: ours > least, cpu })
    }
  }
  return out
}

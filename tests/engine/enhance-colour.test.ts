import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { byHand, changeOf, drawn, effectOf, oddPictures, seamOf } from '../fixtures/effect-run.ts'
import { photo, photoSamples, randomFrom } from '../fixtures/pictures.ts'
import { runAndRead } from '../fixtures/run-and-read.ts'
import type { Rgb } from '#shared/effects/effect'
import { enhanceColour } from '#shared/effects/enhance-colour/enhance-colour'
import { parseOptions } from '#shared/tools/index'

const id = 'enhance-colour'
const [width, height] = [160, 120]

/** Blocks of many colours, each with its opposite, half of them greys, each shaded; their light is white. */
function scene(seed: number, colourfulness: number): Rgb {
  const random = randomFrom(seed)
  let [tint, light] = [[0, 0, 0], 0]
  const blocks = Array.from({ length: 80 }, (_, at) => {
    if (at % 4 === 1) tint = [random() - 0.5, random() - 0.5, random() - 0.5]
    else if (at % 4 === 3) tint = tint.map((part) => -part)
    if (at % 4 < 2) light = 60 + 130 * random()
    return at % 2 === 0 ? [light, light, light] : tint.map((part) => light * (1 + colourfulness * part))
  })
  return drawn(width, height, (x, y) => {
    const [r = 0, g = 0, b = 0] = blocks[(Math.floor(y / 15) * 10 + Math.floor(x / 16)) % 80] ?? []
    const shade = 0.75 + 0.25 * Math.sin(x / 3 + y / 5)
    return [r * shade, g * shade, b * shade]
  })
}

const relit = (picture: Rgb, gains: readonly number[]): Rgb => ({
  ...picture,
  data: picture.data.map((level, at) => Math.round(255 * ((level / 255) ** 2.2 * (gains[at % 3] ?? 1)) ** (1 / 2.2))),
})

/** How far the grey blocks are from grey, on average, in levels. */
function tintOf(data: Uint8Array, source: Rgb): number {
  let [sum, count] = [0, 0]
  for (let at = 0; at < data.length; at += 3) {
    if (source.data[at] !== source.data[at + 1] || source.data[at] !== source.data[at + 2]) continue
    const levels = data.subarray(at, at + 3)
    sum += Math.max(...levels) - Math.min(...levels)
    count += 1
  }
  return sum / count
}

const casts = [
  ['warm', [1, 0.9, 0.8]],
  ['cool', [0.8, 0.9, 1]],
  ['green', [0.82, 1, 0.82]],
  ['magenta', [1, 0.82, 1]],
] as const

/** How far a light is from white, in degrees. */
const angleOf = ([r = 0, g = 0, b = 0]: readonly number[]): number =>
  (Math.acos(Math.min(1, (r + g + b) / Math.sqrt(3 * (r * r + g * g + b * b)))) * 180) / Math.PI

const gainsOf = (picture: Rgb, options: object = {}): readonly number[] =>
  enhanceColour.measure(picture, parseOptions(id, options), {})?.gains ?? [1, 1, 1]

/** How far from white the light of a picture is left. */
function leftOf(picture: Rgb, light: readonly number[], options: object = {}): number {
  const gains = gainsOf(picture, options)
  return angleOf(light.map((part, channel) => part * (gains[channel] ?? 1)))
}

test.each(casts)('a %s cast is taken out, the brightness kept', async (_, light) => {
  const source = scene(3, 0.5)
  const cast = relit(source, light)
  const left = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => leftOf(relit(scene(seed, 0.5), light), light))
  expect(left.reduce((sum, one) => sum + one, 0) / left.length).toBeLessThan(0.65 * angleOf(light))
  const mean = (data: Uint8Array): number => data.reduce((sum, level) => sum + level, 0) / data.length
  expect(Math.abs(mean(await effectOf(id, cast)) - mean(cast.data))).toBeLessThan(6)
  expect(await effectOf(id, cast, { balance: false }).then((data) => tintOf(data, source))).toBeGreaterThan(0.9 * tintOf(cast.data, source))
})

test.each([...casts, ['lamp', [1, 0.7, 0.4]] as const])('a %s light is taken out of a photo', async (_, light) => {
  const file = join(import.meta.dirname, '../../node_modules/@vladmandic/face-api/demo/sample5.jpg')
  const { data, info } = await sharp(file).removeAlpha().resize(400).raw().toBuffer({ resolveWithObject: true })
  const photograph = { data: new Uint8Array(data), width: info.width, height: info.height }
  expect(leftOf(photograph, [1, 1, 1])).toBeLessThan(3)
  // Beside the light that its maker left in it.
  const own = gainsOf(photograph)
  const added = light.map((part, channel) => part / (own[channel] ?? 1))
  expect(leftOf(relit(photograph, light), added)).toBeLessThan(0.7 * angleOf(light))
})

test('greys of a picture without a cast stay grey', async () => {
  const source = scene(5, 0.5)
  expect(tintOf(await effectOf(id, source), source)).toBeLessThan(3)
})

test('a grey picture stays as it is', async () => {
  const source = scene(7, 0)
  expect(await effectOf(id, source)).toEqual(source.data)
})

const chromaOf = (data: Uint8Array): number =>
  data.reduce(
    (sum, level, at) =>
      sum +
      (at % 3 === 0 ? Math.max(level, data[at + 1] ?? 0, data[at + 2] ?? 0) - Math.min(level, data[at + 1] ?? 0, data[at + 2] ?? 0) : 0),
    0,
  )

test('the more is asked for, the livelier and the less cast; of 0 nothing', async () => {
  const dull = scene(9, 0.3)
  const light = [1, 0.9, 0.8]
  const cast = relit(scene(5, 0.5), light)
  expect(await effectOf(id, cast, byHand(0))).toEqual(cast.data)
  const [left, chromas]: [number[], number[]] = [[], []]
  for (const amount of [0, 25, 50, 75, 100]) {
    left.push(leftOf(cast, light, byHand(amount)))
    chromas.push(chromaOf(await effectOf(id, dull, { ...byHand(amount), balance: false })))
  }
  expect(left.slice(0, 3)).toEqual(left.slice(0, 3).toSorted((a, b) => b - a))
  expect(left.at(-1)).toBeLessThan(0.6 * (left[0] ?? 0))
  expect(chromas).toEqual(chromas.toSorted((a, b) => a - b))
  expect(chromas.at(-1)).toBeGreaterThan(1.2 * (chromas[0] ?? 0))
})

test('skin gets less than leaves of the same strength, full colours nothing', async () => {
  const even = (levels: readonly [number, number, number]): Rgb => drawn(60, 40, (x) => (x < 40 ? levels : [128, 128, 128]))
  const gained = async (levels: readonly [number, number, number]): Promise<number> => {
    const picture = even(levels)
    return chromaOf(await effectOf(id, picture, { ...byHand(100), balance: false })) / chromaOf(picture.data)
  }
  expect(await gained([125, 145, 105])).toBeGreaterThan(1.1)
  expect((await gained([200, 160, 140])) - 1).toBeLessThan(0.6 * ((await gained([125, 145, 105])) - 1))
  expect(await gained([255, 0, 0])).toBeLessThan(1.02)
})

test('white stays white under any light', async () => {
  const base = relit(scene(3, 0.5), [1, 0.85, 0.75])
  const picture = { ...base, data: base.data.slice() }
  picture.data.fill(255, 0, width * 3 * 6)
  expect((await effectOf(id, picture)).subarray(0, width * 3 * 6).every((level) => level >= 254)).toBe(true)
})

test('a picture of one colour is not made grey', async () => {
  const sunset = drawn(width, height, (x, y) => [Math.min(250, 60 + y * 1.5), 30 + y * 0.6 + (x % 9), 12 + y * 0.12])
  expect(chromaOf(await effectOf(id, sunset))).toBeGreaterThan(0.6 * chromaOf(sunset.data))
})

test.each(oddPictures)('%s does no harm', async (_, picture) => {
  for (const options of [{}, byHand(100), { balance: false }])
    expect((await effectOf(id, picture, options)).length).toBe(picture.data.length)
  if (picture.data.every((level) => level === picture.data[0])) expect(await effectOf(id, picture)).toEqual(picture.data)
})

test('parts fit together', async () => {
  expect(await seamOf(id, relit(scene(3, 0.5), [1, 0.9, 0.8]), byHand(100))).toBe(0)
})

test('a file keeps its transparency', async () => {
  const { bytes } = await runAndRead(id, await photo(60, 40, 4).png().toBuffer(), {})
  const alpha = await sharp(bytes).extractChannel(3).raw().toBuffer()
  expect([...alpha]).toEqual([...photoSamples(60, 40, 4)].filter((_level, at) => at % 4 === 3))
  expect(changeOf(await sharp(bytes).removeAlpha().raw().toBuffer(), new Uint8Array(photoSamples(60, 40)))).toBeGreaterThan(0.5)
})

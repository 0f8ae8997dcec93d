import { expect, test } from 'vitest'
import { byHand, changeOf, drawn, effectOf, oddPictures, seamOf } from '../fixtures/effect-run.ts'
import { photo } from '../fixtures/pictures.ts'
import { runAndRead } from '../fixtures/run-and-read.ts'
import { randomFrom } from '../fixtures/pictures.ts'
import type { Rgb } from '#shared/effects/effect'

const id = 'remove-moire'
const [width, height] = [260, 200]

/** Shading, edges and grain, without any pattern. */
function clean(): Rgb {
  const random = randomFrom(5)
  return drawn(width, height, (x, y) => {
    const light = 120 + 40 * Math.sin(x / 47) + 30 * Math.cos(y / 39) + (Math.hypot(x - 150, y - 90) < 60 ? 35 : 0) + 8 * (random() - 0.5)
    return [light, light * 0.9, light * 0.7]
  })
}

const waved = (wave: (x: number, y: number, channel: number) => number, source: Rgb = clean()): Rgb => ({
  ...source,
  data: source.data.map((level, at) =>
    Math.max(0, Math.min(255, Math.round(level + wave(Math.floor(at / 3) % width, Math.floor(at / 3 / width), at % 3)))),
  ),
})

/** The middle of a picture, where no mirror image at its sides is seen. */
const middle = (data: Uint8Array): Uint8Array =>
  data.filter((_, at) => {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)]
    return x > 40 && x < width - 40 && y > 40 && y < height - 40
  })

const straight = waved((x, y) => 14 * Math.sin(1.3 * x + 0.55 * y))

test.each([
  ['straight', straight],
  ['slowly changing', waved((x, y) => 14 * Math.sin(1.1 * x + 0.5 * y + 0.0002 * x * x))],
  ['coloured', waved((x, y, channel) => 12 * Math.sin(0.7 * x + 0.5 * y + 2.1 * channel))],
])('a %s pattern goes, what lies under it stays', async (_, picture) => {
  const source = clean()
  const result = await effectOf(id, picture)
  expect(changeOf(middle(result), middle(source.data))).toBeLessThan(0.25 * changeOf(middle(picture.data), middle(source.data)))
  expect(changeOf(result, source.data)).toBeLessThan(0.4 * changeOf(picture.data, source.data))
})

test('what has no pattern stays as it is, and so does cloth that ends where it ends', async () => {
  const source = clean()
  expect(await effectOf(id, source)).toEqual(source.data)
  const cloth = waved((x, y) => (x > 30 && x < 120 && y > 60 && y < 160 ? 25 * Math.sin(1.4 * x) : 0))
  expect(await effectOf(id, cloth)).toEqual(cloth.data)
})

test('the more is asked for, the less pattern there is; of 0 all stays', async () => {
  expect(await effectOf(id, straight, byHand(0))).toEqual(straight.data)
  const left = []
  for (const amount of [0, 20, 50, 100]) left.push(changeOf(middle(await effectOf(id, straight, byHand(amount))), middle(clean().data)))
  expect(left).toEqual(left.toSorted((a, b) => b - a))
})

test.each(oddPictures)('%s does no harm', async (_, picture) => {
  const result = await effectOf(id, picture, byHand(100))
  expect(result.length).toBe(picture.data.length)
  if (picture.data.every((level) => level === picture.data[0])) expect(result).toEqual(picture.data)
})

test('parts fit together', async () => {
  expect(await seamOf(id, straight)).toBeLessThanOrEqual(1)
})

test('grey stays grey', async () => {
  const grey: Rgb = { ...straight, data: straight.data.map((_, at) => straight.data[at - (at % 3)] ?? 0) }
  const result = await effectOf(id, grey)
  expect(result).not.toEqual(grey.data)
  for (let at = 0; at < result.length; at += 3)
    expect(Math.max(...result.subarray(at, at + 3)) - Math.min(...result.subarray(at, at + 3))).toBeLessThanOrEqual(1)
})

test('a clean file comes back byte for byte', async () => {
  const source = await photo(90, 60, 4).png().toBuffer()
  const { bytes, output } = await runAndRead(id, source, byHand(0))
  expect(bytes.equals(source)).toBe(true)
  expect(output.note).toEqual({ kind: 'unchanged' })
})

import sharp from 'sharp'
import { expect, test } from 'vitest'
import { byHand, changeOf, drawn, effectOf, oddPictures, seamOf } from '../fixtures/effect-run.ts'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { photo, photoSamples } from '../fixtures/pictures.ts'
import { runAndRead } from '../fixtures/run-and-read.ts'
import type { Rgb } from '#shared/effects/effect'

const id = 'enhance-contrast'
const [width, height] = [180, 120]
const clear: Rgb = drawn(width, height, (x, y) => {
  const light = 128 + 70 * Math.sin(x / 19) + 50 * Math.cos(y / 13) + (((x >> 4) + (y >> 4)) % 3) * 8 - 8
  return [light * 1.05, light, light * 0.8]
})
const flat: Rgb = { ...clear, data: clear.data.map((level) => Math.round(0.5 * level + 64)) }
const grey = (levels: (x: number, y: number) => number): Rgb =>
  drawn(width, height, (x, y) => {
    const level = Math.round(levels(x, y))
    return [level, level, level]
  })

const deviation = (data: Uint8Array): number => {
  const mean = data.reduce((sum, level) => sum + level, 0) / data.length
  return Math.sqrt(data.reduce((sum, level) => sum + (level - mean) ** 2, 0) / data.length)
}

test('a picture made flat comes nearer to what it was, and cuts nothing off', async () => {
  const result = await effectOf(id, flat)
  expect(changeOf(result, clear.data)).toBeLessThan(0.45 * changeOf(flat.data, clear.data))
  expect(deviation(result)).toBeGreaterThan(1.5 * deviation(flat.data))
  expect(result.filter((level) => level === 0 || level === 255).length / result.length).toBeLessThan(0.005)
})

test('the more is asked for, the more contrast there is; of 0 none at all', async () => {
  expect(await effectOf(id, flat, byHand(0))).toEqual(flat.data)
  const contrasts = []
  for (const amount of [0, 20, 50, 80, 100]) contrasts.push(deviation(await effectOf(id, flat, byHand(amount))))
  expect(contrasts).toEqual(contrasts.toSorted((a, b) => a - b))
  expect(contrasts.at(-1)).toBeGreaterThan(1.1 * (contrasts[2] ?? 0))
  expect(await effectOf(id, flat, byHand(50))).toEqual(await effectOf(id, flat))
})

test.each([
  ['dark', (x: number) => 10 + x / 4],
  ['light', (x: number) => 180 + x / 5],
  ['full', (x: number) => (x * 255) / (width - 1)],
])('a %s gradient stays a gradient', async (_, levels) => {
  const source = grey(levels)
  for (const amount of [50, 100]) {
    const row = (await effectOf(id, source, byHand(amount))).subarray(0, width * 3).filter((_level, at) => at % 3 === 0)
    for (let x = 1; x < width; x++) expect((row[x] ?? 0) - (row[x - 1] ?? 0), `${amount} at ${x}`).toBeGreaterThanOrEqual(-1) // levels are whole
  }
})

test('shadows and highlights are lifted and held, greys never change places', async () => {
  const source = grey((x) => (x * 255) / (width - 1))
  const at = (data: Uint8Array, x: number): number => data[(60 * width + x) * 3] ?? 0
  for (const shadows of [-100, 0, 100]) {
    for (const highlights of [-100, 0, 100]) {
      const result = await effectOf(id, source, { shadows, highlights, ...byHand(0) })
      for (let x = 1; x < width; x++) expect(at(result, x)).toBeGreaterThanOrEqual(at(result, x - 1))
      if (highlights === 0) expect(Math.sign(at(result, 50) - at(source.data, 50))).toBe(Math.sign(shadows))
      if (shadows === 0) expect(Math.sign(at(result, 130) - at(source.data, 130))).toBe(Math.sign(highlights))
    }
  }
})

test('noise on an even ground does not become a picture', async () => {
  let state = 1
  const source = grey(() => 120 + ((state = (state * 16807) % 2147483647) / 2147483647 - 0.5) * 12)
  expect(deviation(await effectOf(id, source))).toBeLessThan(3.5 * deviation(source.data))
})

test('grey stays grey, and colours keep their hue', async () => {
  const greys = await effectOf(
    id,
    grey((x, y) => 80 + x / 5 + (y % 17)),
  )
  for (let at = 0; at < greys.length; at += 3) expect(new Set(greys.subarray(at, at + 3)).size).toBe(1)
  const result = await effectOf(id, flat)
  const tints = (data: Uint8Array): number =>
    data.reduce((sum, level, at) => sum + (at % 3 === 0 ? level - (data[at + 2] ?? 0) : 0), 0) / data.length
  expect(tints(result)).toBeGreaterThan(1.3 * tints(flat.data))
})

test.each(oddPictures)('%s does no harm', async (_, picture) => {
  for (const options of [{}, byHand(100), { shadows: 100, highlights: -100 }]) {
    const result = await effectOf(id, picture, options)
    expect(result.length).toBe(picture.data.length)
  }
  if (picture.data.every((level) => level === picture.data[0])) expect(await effectOf(id, picture)).toEqual(picture.data)
})

test('parts fit together', async () => {
  expect(await seamOf(id, flat, byHand(100))).toBe(0)
})

test('a file keeps its transparency, and one of a single colour comes back as it was', async () => {
  const { bytes } = await runAndRead(id, await photo(60, 40, 4).png().toBuffer(), {})
  const source = photoSamples(60, 40, 4)
  const alpha = await sharp(bytes).extractChannel(3).raw().toBuffer()
  expect([...alpha]).toEqual([...source].filter((_level, at) => at % 4 === 3))
  await using folder = await testFolder()
  const even = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#777' } })
    .png()
    .toBuffer()
  const [output] = await runTool(id, folder.path, even, {})
  expect(output.note).toEqual({ kind: 'unchanged' })
})

import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { photo, photoSamples, randomFrom } from '../fixtures/pictures.ts'
import { roundScene } from '../fixtures/round-scenes.ts'
import { runAndRead, sidesOf } from '../fixtures/run-and-read.ts'
import { findEllipses } from '#shared/effects/unstretch/ellipses'
import { faceClue } from '#shared/effects/unstretch/face-clue'
import { carve } from '#shared/effects/unstretch/seams'
import { stretchOf } from '#shared/effects/unstretch/stretch'

const stretchIn = async (picture: Buffer): Promise<number | undefined> => {
  const { data, info } = await sharp(picture).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const luma = { data: Float32Array.from({ length: info.width * info.height }, (_, at) => data[at * info.channels] ?? 0), ...info }
  return stretchOf({ size: info, ellipses: findEllipses(luma), faces: [] })?.times
}

describe('what tells of stretching', () => {
  test('circles tell it within three percent of four scenes in five', async () => {
    const random = randomFrom(11)
    let right = 0
    const count = 10
    for (let scene = 0; scene < count; scene++) {
      const stretch = scene % 2 === 0 ? 0.7 + 0.22 * random() : 1.08 + 0.32 * random()
      const found = (await stretchIn(await roundScene(scene + 1, stretch))) ?? 1
      if (Math.abs(found / Math.round(640 * stretch) / (1 / 640) - 1) <= 0.03) right += 1
    }
    expect(right).toBeGreaterThanOrEqual(0.8 * count)
  })

  test('circles that are round leave a picture alone', async () => {
    for (const seed of [21, 22, 23, 24, 25]) expect(await stretchIn(await roundScene(seed, 1))).toBeUndefined()
  })

  test('one thing that is oval is no reason, nor are ovals that disagree', () => {
    const oval = { x: 100, y: 100, a: 60, b: 45, seen: 0.95 }
    const size = { width: 611, height: 400 }
    expect(stretchOf({ size, ellipses: [oval], faces: [] })).toBeUndefined()
    const others = [40, 55, 70].map((b, at) => ({ ...oval, x: 200 + 130 * at, b }))
    expect(stretchOf({ size, ellipses: [oval, ...others], faces: [] })).toBeUndefined()
  })

  test('a face that is far too wide tells which usual proportions a picture had', () => {
    const faces = [{ stretch: 0.3, deviation: 0.09 }]
    // 4:3 shown as 16:9.
    expect(stretchOf({ size: { width: 1280, height: 720 }, ellipses: [], faces })?.times).toBeCloseTo(4 / 3, 1)
    expect(stretchOf({ size: { width: 1280, height: 720 }, ellipses: [], faces: [{ stretch: 0.08, deviation: 0.09 }] })).toBeUndefined()
    expect(faceClue([])).toBeUndefined()
  })
})

describe('the picture', () => {
  test('gets its circles back by itself', async () => {
    const { seen, output } = await runAndRead('unstretch', await roundScene(3, 1.3), {}, '圆.png')
    expect(output.note).toBeUndefined()
    expect((seen.width ?? 0) / (seen.height ?? 1)).toBeCloseTo(640 / 480, 1)
  })

  test('comes back byte for byte, and says so, where nothing tells that it was stretched', async () => {
    const source = await photo(90, 60).jpeg().toBuffer()
    const { bytes, output } = await runAndRead('unstretch', source, {}, '图.jpg')
    expect(output.note).toEqual({ kind: 'no-stretch' })
    expect(bytes.equals(source)).toBe(true)
  })

  test.each(['resize', 'seams'])('has the width asked for by %s, and its height', async (method) => {
    for (const [width, percent] of [
      [90, 70],
      [90, 135],
      [61, 50],
    ] as const) {
      const { seen } = await runAndRead('unstretch', await photo(width, 48).png().toBuffer(), {
        ratio: { by: 'manual', width: percent },
        method,
      })
      expect(sidesOf(seen)).toEqual([Math.round((width * percent) / 100), 48])
    }
  })

  test.each([
    [1, 1],
    [3, 2],
    [8, 8],
    [1, 30],
    [30, 1],
  ])('of %i by %i is no trouble', async (width, height) => {
    const source = await photo(width, height).png().toBuffer()
    for (const method of ['resize', 'seams']) {
      const { seen } = await runAndRead('unstretch', source, { ratio: { by: 'manual', width: 60 }, method })
      expect(sidesOf(seen)).toEqual([Math.max(1, Math.round(width * 0.6)), height])
    }
    const { output } = await runAndRead('unstretch', source, {})
    expect(output.note?.kind).toBe('no-stretch')
  })

  test('stays as it is at strength 0 or at all of its width, and changes all the more the stronger', async () => {
    const source = await photo(80, 40).png().toBuffer()
    const at = async (amount: number): Promise<number> => {
      const options = { ratio: { by: 'manual', width: 50 }, strength: { by: 'manual', amount } }
      const { seen } = await runAndRead('unstretch', source, options)
      return seen.width ?? 0
    }
    expect([await at(0), await at(25), await at(50), await at(100)]).toEqual([80, 57, 40, 40])
    const { bytes, output } = await runAndRead('unstretch', source, { ratio: { by: 'manual', width: 100 } })
    expect(output.note).toEqual({ kind: 'unchanged' })
    expect(bytes.equals(source)).toBe(true)
  })

  test('keeps grey grey, transparency clear and colours what they were', async () => {
    const data = Buffer.alloc(40 * 20 * 4)
    for (let at = 0; at < 800; at++) data.set(at % 40 < 20 ? [30, 150, 70, 255] : [255, 0, 255, 0], at * 4)
    const clear = await sharp(data, { raw: { width: 40, height: 20, channels: 4 } })
      .png()
      .toBuffer()
    const { bytes } = await runAndRead('unstretch', clear, { ratio: { by: 'manual', width: 150 } })
    const result = await sharp(bytes).raw().toBuffer()
    for (let at = 0; at < result.length; at += 4) {
      if ((result[at + 3] ?? 0) > 8) expect(Math.abs((result[at] ?? 0) - 30) + Math.abs((result[at + 1] ?? 0) - 150)).toBeLessThan(10)
    }
    const grey = await photo(30, 20).toColourspace('b-w').png().toBuffer()
    const { bytes: still } = await runAndRead('unstretch', grey, { ratio: { by: 'manual', width: 120 } })
    expect((await sharp(still).metadata()).channels).toBe(1)
  })
})

describe('seams', () => {
  test('go where nothing is, and around what is shielded', () => {
    const [width, height] = [60, 30]
    const data = Float32Array.from({ length: width * height }, (_, at) => (at % width < 20 ? (at * 97) % 200 : 128))
    const luma = { data, width, height }
    const calm = carve(luma, new Float32Array(width * height), 40)
    // All that is restless is still there.
    for (let y = 0; y < height; y++) for (let x = 0; x < 18; x++) expect(calm.columns[y * 40 + x]).toBe(x)
    const shield = Float32Array.from({ length: width * height }, (_, at) => (at % width >= 40 ? 400 : 0))
    const kept = carve(luma, shield, 42)
    for (let y = 0; y < height; y++)
      expect([...kept.columns.subarray(y * 42 + 22, y * 42 + 42)]).toEqual(Array.from({ length: 20 }, (_, x) => 40 + x))
  })

  test('make a row wider in order, each column from one of its own', () => {
    const [width, height] = [50, 20]
    const samples = photoSamples(width, height)
    const luma = { data: Float32Array.from({ length: width * height }, (_, at) => samples[at * 3] ?? 0), width, height }
    const map = carve(luma, new Float32Array(width * height), 70)
    for (let y = 0; y < height; y++) {
      const row = [...map.columns.subarray(y * 70, (y + 1) * 70)]
      expect(row).toEqual(row.toSorted((one, other) => one - other))
      expect([row[0], new Set(row.map(Math.floor)).size]).toEqual([0, width])
    }
  })
})

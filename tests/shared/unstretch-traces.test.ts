import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { photoSamples, randomFrom } from '../fixtures/pictures.ts'
import type { Plane } from '#shared/effects/math/plane'
import { stepsClearness } from '#shared/effects/unstretch/steps'
import { stretchOf, type Stretch } from '#shared/effects/unstretch/stretch'
import { tracesOf } from '#shared/effects/unstretch/traces'
import { blurPlane } from '#shared/matte/blur'

/** Clouds of all sizes and grain, in which nothing comes back as often as in a drawn picture. */
function clouds(width: number, height: number, sigmas = [0, 0.8, 2, 6, 20]): Sharp {
  const random = randomFrom(7)
  const sum = new Float32Array(width * height)
  for (const sigma of sigmas) {
    const data = Float32Array.from(sum, () => random() - 0.5)
    if (sigma > 0) blurPlane({ data, width, height }, sigma)
    const scale = (sigma === 0 ? 3 : 14) / Math.sqrt(data.reduce((all, value) => all + value * value, 0) / data.length)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + scale * (data[at] ?? 0)
  }
  const levels = Uint8Array.from(sum, (value) => Math.max(0, Math.min(255, 128 + value)))
  return sharp(levels, { raw: { width, height, channels: 1 } })
}

/** The brightness of a file's picture, and whether it is a JPEG. */
async function readFile(file: Buffer): Promise<{ readonly luma: Plane; readonly isJpeg: boolean }> {
  const { data, info } = await sharp(file).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const luma = { data: Float32Array.from({ length: width * height }, (_, at) => data[at * channels] ?? 0), width, height }
  return { luma, isJpeg: (await sharp(file).metadata()).format === 'jpeg' }
}

/** What is found in a picture of a file's bytes, with a face that looks so many times too wide, or none. */
async function foundIn(file: Buffer, face?: number): Promise<Stretch | undefined> {
  const { luma, isJpeg } = await readFile(file)
  const faces = face === undefined ? [] : [{ stretch: Math.log(face), deviation: 0.09 }]
  return stretchOf({ size: luma, ellipses: [], faces, traces: tracesOf(luma, luma, isJpeg) })
}

const jpeg = (width: number, height: number, quality: number): Promise<Buffer> => clouds(width, height).jpeg({ quality }).toBuffer()
const at = (file: Buffer, width: number, height: number): Sharp => sharp(file).resize({ width, height, fit: 'fill' })

describe('a face tells about where, and resampling exactly', () => {
  test.each([
    ['wider', 480, 350, 600, 350, 1.35],
    ['higher', 480, 350, 480, 440, 0.87],
    ['narrower', 600, 350, 480, 350, 0.72],
    ['both, one more', 480, 350, 620, 400, 1.09],
  ])('%s, from a JPEG', async (_, width, height, wide, high, face) => {
    const found = await foundIn(
      await at(await jpeg(width, height, 80), wide, high)
        .png()
        .toBuffer(),
      face,
    )
    expect((found?.times ?? 1) / (wide / width / (high / height))).toBeCloseTo(1, 2)
  })

  test('wider, saved as a JPEG again', async () => {
    const clean = await clouds(480, 350).png().toBuffer()
    const found = await foundIn(await at(clean, 610, 350).jpeg({ quality: 92 }).toBuffer(), 1.33)
    expect((found?.times ?? 1) / (610 / 480)).toBeCloseTo(1, 2)
    expect(found?.isSure).toBe(true)
  })
})

describe('the steps of an earlier JPEG', () => {
  const clearest = async (file: Buffer) => {
    const { luma, isJpeg } = await readFile(file)
    const most = stepsClearness(luma, isJpeg).toSorted((a, b) => b.deviations - a.deviations)[0]
    return { times: Math.exp(most?.scale ?? NaN), deviations: most?.deviations ?? NaN }
  }

  test('tell the scale of a picture that was saved as a JPEG again', async () => {
    const source = await clouds(480, 350, [2, 6, 20]).jpeg({ quality: 80 }).toBuffer()
    const wider = await at(source, 610, 350).jpeg({ quality: 85 }).toBuffer()
    const { times, deviations } = await clearest(wider)
    expect(times / (610 / 480)).toBeCloseTo(1, 2)
    expect(deviations).toBeGreaterThan(10)
    const found = await foundIn(wider, 1.25)
    expect((found?.times ?? 1) / (610 / 480)).toBeCloseTo(1, 2)
  })

  test('are where they were in a JPEG saved as PNG, and nowhere in what was none, or only is one', async () => {
    const source = await jpeg(480, 350, 80)
    const kept = await clearest(await sharp(source).png().toBuffer())
    expect(kept.times).toBeCloseTo(1, 2)
    expect(kept.deviations).toBeGreaterThan(10)
    expect((await clearest(await clouds(480, 350).png().toBuffer())).deviations).toBeLessThan(6.2)
    expect((await clearest(source)).deviations).toBeLessThan(6.2)
  })
})

test('without a face clear traces are a guess, and those of a picture resized alike none', async () => {
  const source = await jpeg(600, 400, 80)
  const found = await foundIn(await at(source, 480, 400).png().toBuffer())
  expect((found?.times ?? 1) / 0.8).toBeCloseTo(1, 2)
  expect(found).toMatchObject({ isSure: false, by: 'traces' })
  expect(await foundIn(await at(source, 480, 320).png().toBuffer())).toBeUndefined()
  expect(await foundIn(source)).toBeUndefined()
})

describe('what is as it should be stays, though a face looks wide', () => {
  test.each([1.12, 0.9])('a JPEG, one saved as PNG, and one resized alike: %f', async (face) => {
    const source = await jpeg(600, 400, 85)
    expect(await foundIn(source, face)).toBeUndefined()
    expect(await foundIn(await sharp(source).png().toBuffer(), face)).toBeUndefined()
    expect(await foundIn(await at(source, 720, 480).png().toBuffer(), face)).toBeUndefined()
    expect(await foundIn(await at(source, 480, 320).jpeg({ quality: 90 }).toBuffer(), face)).toBeUndefined()
  })
})

test('what is periodic of itself is no trace', async () => {
  const tiles = sharp(photoSamples(600, 400), { raw: { width: 600, height: 400, channels: 3 } })
  for (const face of [1.12, 0.85]) expect(await foundIn(await tiles.clone().png().toBuffer(), face)).toBeUndefined()
})

test('by a face alone nothing is sure', () => {
  const found = stretchOf({ size: { width: 1280, height: 720 }, ellipses: [], faces: [{ stretch: 0.3, deviation: 0.09 }] })
  expect(found?.isSure).toBe(false)
})

test('a strip has no traces, and is no trouble', () => {
  const strip = { data: new Float32Array(3 * 900), width: 900, height: 3 }
  const { across, down } = tracesOf(strip, strip, false)
  expect([...across, ...down].every((value) => value === 0)).toBe(true)
})

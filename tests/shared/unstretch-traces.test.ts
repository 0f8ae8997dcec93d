import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { photoSamples, randomFrom } from '../fixtures/pictures.ts'
import { stretchOf, type Stretch } from '#shared/effects/unstretch/stretch'
import { tracesOf } from '#shared/effects/unstretch/traces'
import { blurPlane } from '#shared/matte/blur'

/** Clouds of all sizes and grain, in which nothing comes back as often as in a drawn picture. */
function clouds(width: number, height: number): Sharp {
  const random = randomFrom(7)
  const sum = new Float32Array(width * height)
  for (const sigma of [0, 0.8, 2, 6, 20]) {
    const data = Float32Array.from(sum, () => random() - 0.5)
    if (sigma > 0) blurPlane({ data, width, height }, sigma)
    const scale = (sigma === 0 ? 3 : 14) / Math.sqrt(data.reduce((all, value) => all + value * value, 0) / data.length)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + scale * (data[at] ?? 0)
  }
  const levels = Uint8Array.from(sum, (value) => Math.max(0, Math.min(255, 128 + value)))
  return sharp(levels, { raw: { width, height, channels: 1 } })
}

/** What is found in a picture whose face looks so many times too wide, of a file's bytes. */
async function foundIn(file: Buffer, face: number): Promise<Stretch | undefined> {
  const { data, info } = await sharp(file).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const luma = { data: Float32Array.from({ length: info.width * info.height }, (_, at) => data[at * info.channels] ?? 0), ...info }
  const { format } = await sharp(file).metadata()
  return stretchOf({
    size: info,
    ellipses: [],
    faces: [{ stretch: Math.log(face), deviation: 0.09 }],
    traces: tracesOf(luma, format === 'jpeg'),
  })
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
  const { across, down } = tracesOf({ data: new Float32Array(3 * 900), width: 900, height: 3 }, false)
  expect([...across, ...down].every((value) => value === 0)).toBe(true)
})

import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { cleanScene, farthest, flat, psnr } from '../fixtures/degraded.ts'
import { withAdobe } from '../fixtures/jpeg.ts'
import { photo } from '../fixtures/pictures.ts'
import { runAndRead } from '../fixtures/run-and-read.ts'
import type { Rgb } from '#shared/effects/effect'
import { applyTo } from '#shared/effects/parts'
import { jpegTables } from '#shared/effects/repair-jpeg/jpeg-tables'
import { layoutOf } from '#shared/effects/repair-jpeg/layout'
import { repairJpeg } from '#shared/effects/repair-jpeg/repair-jpeg'
import { parseOptions } from '#shared/tools/index'

const by = (amount?: number) => parseOptions('repair-jpeg', amount === undefined ? {} : { strength: { by: 'manual', amount } })
const raw = ({ data, width, height }: Rgb) => sharp(data, { raw: { width, height, channels: 3 } })
const compressed = (picture: Rgb, quality: number, chromaSubsampling = '4:2:0') =>
  raw(picture).jpeg({ quality, chromaSubsampling }).toBuffer()

/** A file's pixels, upright. */
async function decoded(file: Buffer): Promise<Rgb> {
  const { data, info } = await sharp(file).autoOrient().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}

/** The effect on a whole picture; its own samples where there is nothing to do. */
function applied(picture: Rgb, jpeg?: Buffer, amount?: number): Uint8Array {
  const measure = repairJpeg.measure(picture, by(amount), jpeg ? { jpeg } : {})
  return measure ? repairJpeg.apply(picture, measure, { left: 0, top: 0, whole: picture }) : picture.data
}

const clean = cleanScene(237, 171)
const jpeg = await compressed(clean, 20)
const source = await decoded(jpeg)

describe('what a JPEG says of itself', () => {
  test.each([
    ['4:2:0', 2, 2],
    ['4:4:4', 1, 1],
  ])('its steps and its sampling %s', async (sampling, across, down) => {
    const tables = jpegTables(await compressed(clean, 50, sampling))
    // Quality 50 is Annex K's own table.
    expect(tables?.luma.slice(0, 10)).toEqual([16, 11, 10, 16, 24, 40, 51, 61, 12, 12])
    expect([tables?.luma[8], tables?.luma[16], tables?.luma[63]]).toEqual([12, 14, 99])
    expect(tables).toMatchObject({ width: 237, height: 171, chroma: { across, down } })
    expect(tables?.chroma?.steps.slice(0, 5)).toEqual([17, 18, 24, 47, 99])
  })

  test('nothing of what is no JPEG, cut off, or not luma and chroma', async () => {
    expect(jpegTables(await raw(clean).png().toBuffer())).toBeUndefined()
    for (const length of [0, 3, 20, 100, 400]) expect(() => jpegTables(jpeg.subarray(0, length))).not.toThrow()
    expect(jpegTables(withAdobe(jpeg, 0))).toBeUndefined()
    expect(jpegTables(await raw(clean).greyscale().toColourspace('b-w').jpeg({ quality: 30 }).toBuffer())).not.toHaveProperty('chroma')
  })
})

test.each([
  [10, '4:2:0', 1],
  [20, '4:2:0', 1],
  [20, '4:4:4', 1],
  [40, '4:2:0', 0.8],
])('quality %d at %s comes nearer to what it was', async (quality, sampling, gain) => {
  const file = await compressed(clean, quality, sampling)
  const picture = await decoded(file)
  expect(psnr(applied(picture, file), clean.data)).toBeGreaterThan(psnr(picture.data, clean.data) + gain)
})

test('whichever way the camera was held, squares are found where they are', async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const file = await sharp(jpeg).keepExif().withMetadata({ orientation }).jpeg({ quality: 20 }).toBuffer()
    const picture = await decoded(file)
    const isTurned = orientation > 4
    const layout = layoutOf(picture, file)
    expect(layout).toMatchObject({ isSure: true, isGuessed: false })
    expect([picture.width, layout?.luma[1]]).toEqual(isTurned ? [171, 30] : [237, 28])
    const isMirrored = { left: [2, 3, 7, 8].includes(orientation), top: [3, 4, 6, 7].includes(orientation) }
    const starts = { left: isMirrored.left ? picture.width % 16 : 0, top: isMirrored.top ? picture.height % 16 : 0 }
    expect(layout?.origin).toEqual(
      isTurned ? { left: orientation === 6 || orientation === 7 ? 171 % 16 : 0, top: orientation > 6 ? 237 % 16 : 0 } : starts,
    )
  }
})

test('a screenshot of a JPEG is recognised, wherever its squares begin', async () => {
  const shifted = await decoded(await raw(source).extract({ left: 3, top: 5, width: 200, height: 150 }).png().toBuffer())
  const truth = await decoded(await raw(clean).extract({ left: 3, top: 5, width: 200, height: 150 }).png().toBuffer())
  expect(layoutOf(shifted, undefined)).toMatchObject({ origin: { left: 5, top: 3 }, isGuessed: true })
  expect(psnr(applied(shifted), truth.data)).toBeGreaterThan(psnr(shifted.data, truth.data) + 0.8)
})

test('what was never compressed, or hardly, comes back byte for byte', async () => {
  for (const file of [await raw(clean).png().toBuffer(), await photo(200, 150).png().toBuffer(), await compressed(clean, 95)]) {
    const { bytes, output } = await runAndRead('repair-jpeg', file, {}, 'clean.img')
    expect([bytes.equals(file), output.note]).toEqual([true, { kind: 'unchanged' }])
  }
})

test('the engine gives a JPEG that is nearer to what it was, of the same size', async () => {
  const { seen, output } = await runAndRead('repair-jpeg', jpeg, {}, 'blocks.jpg')
  expect([output.format, seen.width, seen.height]).toEqual(['jpeg', 237, 171])
  expect(
    psnr(
      seen.data.filter((_, at) => at % 4 !== 3),
      clean.data,
    ),
  ).toBeGreaterThan(psnr(source.data, clean.data) + 0.5)
})

test('strength 0 changes nothing, more changes more, half is what auto does', () => {
  const change = (amount: number) => -psnr(applied(source, jpeg, amount), source.data)
  expect(repairJpeg.measure(source, by(0), { jpeg })).toBeUndefined()
  const changes = [10, 30, 50, 75, 100].map(change)
  expect(changes).toEqual(changes.toSorted((a, b) => a - b))
  expect(new Set(changes).size).toBe(5)
  expect(applied(source, jpeg, 50)).toEqual(applied(source, jpeg))
})

test('parts are what the whole has there', () => {
  const measure = repairJpeg.measure(source, by(), { jpeg })
  if (!measure) throw new Error('nothing to do')
  const whole = applied(source, jpeg)
  for (const [left, top, width, height] of [
    [0, 0, 237, 40],
    [0, 60, 237, 41],
    [101, 83, 77, 55],
    [236, 170, 1, 1],
  ] as const) {
    const part = applyTo(repairJpeg, source, measure, { left, top, width, height })
    for (let y = 0; y < height; y++) {
      const from = ((top + y) * 237 + left) * 3
      expect(farthest(part.data.subarray(y * width * 3, (y + 1) * width * 3), whole.subarray(from, from + width * 3))).toBeLessThanOrEqual(
        1,
      )
    }
  }
})

test('grey stays grey', async () => {
  const file = await raw(clean).greyscale().toColourspace('b-w').jpeg({ quality: 15 }).toBuffer()
  const picture = await decoded(file)
  const result = applied(picture, file)
  expect(result.every((value, at) => value === result[at - (at % 3)])).toBe(true)
  expect(psnr(result, picture.data)).toBeLessThan(50)
})

test.each([
  [1, 1],
  [3, 2],
  [8, 8],
  [1, 60],
  [60, 1],
])('%d × %d pixels are no trouble, whatever is in them', async (width, height) => {
  for (const value of [0, 90, 255]) {
    const file = await compressed(flat(width, height, value), 10)
    const picture = await decoded(file)
    for (const amount of [50, 100]) expect(farthest(applied(picture, file, amount), picture.data)).toBeLessThanOrEqual(1)
  }
})

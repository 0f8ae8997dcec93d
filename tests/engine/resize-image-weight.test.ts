import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { checkOutput } from '#engine/codecs/output-limits'
import { qualityOfSteps } from '#engine/image/source-encoding'
import { cloudLimits } from '#engine/limits'
import { kb } from '../fixtures/engine.ts'
import { readPicture, similarityOf } from '../fixtures/oracle.ts'
import { photo, photoSamples } from '../fixtures/pictures.ts'
import { runAndRead, sidesOf } from '../fixtures/run-and-read.ts'

const resize = (bytes: Buffer, options: object) => runAndRead('resize-image', bytes, options)
const small = await photo(400, 300).jpeg({ quality: 90 }).toBuffer()
const webp = await photo(400, 300).webp({ quality: 90 }).toBuffer()
const large = { jpeg: await photo(1200, 900).jpeg({ quality: 95 }).toBuffer(), png: await photo(600, 450).png().toBuffer() }

test('a JPEG is written near its own quality, so that fewer pixels are fewer bytes', async () => {
  for (const quality of [60, 75, 92]) {
    const source = await photo(900, 700).jpeg({ quality }).toBuffer()
    const { bytes } = await resize(source, { percent: 70 })
    expect(bytes.length / source.length).toBeLessThan(0.75)
    expect(bytes.length / source.length).toBeGreaterThan(0.3)
  }
  const most = await resize(small, { percent: 50, quality: 100 })
  const least = await resize(small, { percent: 50, quality: 10 })
  expect(most.bytes.length).toBeGreaterThan(least.bytes.length * 4)
})

test.each([25, 50, 75, 90, 98])('quality %i is read back from the steps libjpeg writes for it', async (quality) => {
  const file = await photo(16, 16).jpeg({ quality, quantisationTable: 0 }).toBuffer()
  const table = file.indexOf(Buffer.from([0xff, 0xdb]))
  const steps = [...file.subarray(table + 5, table + 69)]
  expect(Math.abs(qualityOfSteps(steps) - quality)).toBeLessThanOrEqual(1)
})

describe('with a budget', () => {
  test.each(Object.entries(large))('a %s has the size asked for and is never above it', async (_format, source) => {
    for (const targetKb of [20, 60]) {
      const { output, bytes, seen } = await resize(source, { width: 400, targetKb })
      expect(sidesOf(seen)).toEqual([400, 300])
      expect(kb(bytes.length)).toBeLessThanOrEqual(targetKb)
      expect(output.note).toBeUndefined()
    }
  })

  test('what fits already is not made to fill it', async () => {
    const free = await resize(large.jpeg, { width: 300 })
    const bound = await resize(large.jpeg, { width: 300, targetKb: 1000 })
    expect(bound.bytes.equals(free.bytes)).toBe(true)
  })

  test('a budget nothing fits into is said to be missed, at the size asked for', async () => {
    const { output, bytes } = await resize(large.jpeg, { width: 800, targetKb: 1 })
    expect(output).toMatchObject({ width: 800, height: 600, note: { kind: 'missed', targetBytes: 1024, bestBytes: bytes.length } })
  })

  test('the same size but too heavy: compressed, not returned', async () => {
    const { bytes, seen } = await resize(large.jpeg, { width: 1200, targetKb: 100 })
    expect(kb(bytes.length)).toBeLessThanOrEqual(100)
    expect(similarityOf(readPicture(large.jpeg), seen)).toBeGreaterThan(0.6)
  })
})

describe('before anything is allocated', () => {
  test('a result with too many pixels is refused', async () => {
    const source = await sharp(photoSamples(3000, 2000), { raw: { width: 3000, height: 2000, channels: 3 } })
      .jpeg()
      .toBuffer()
    const before = process.memoryUsage().rss
    await expect(resize(source, { percent: 1000 })).rejects.toMatchObject({ code: 'image.too-many-pixels', data: { pixels: 600e6 } })
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6)
  })

  test('a side its format cannot hold is named, and so are frames that are too many together', async () => {
    await expect(resize(webp, { width: 20_000, height: 10, keepRatio: false, enlarge: true })).rejects.toMatchObject({
      code: 'format.side-limit',
      data: { format: 'WebP', maxSidePx: 16_383 },
    })
    expect(() => checkOutput({ width: 3000, height: 3000 }, 'webp', 30, cloudLimits)).toThrow('image.too-many-pixels')
    expect(() => checkOutput({ width: 3000, height: 3000 }, 'webp', 1, cloudLimits)).not.toThrow()
    expect(() => checkOutput({ width: 30_001, height: 3 }, 'png', 1, cloudLimits)).toThrow('image.too-many-pixels')
  })
})

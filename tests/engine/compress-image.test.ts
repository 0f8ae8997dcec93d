import fc from 'fast-check'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { fitPicture } from '#engine/codecs/fit-picture'
import { webp } from '#engine/codecs/webp'
import { compress, kb, testFolder, toSize } from '../fixtures/engine.ts'
import { readPicture, similarityOf } from '../fixtures/oracle.ts'
import { photo, screenshot } from '../fixtures/pictures.ts'

const sources = {
  jpeg: await photo(560, 392).jpeg({ quality: 95 }).toBuffer(),
  png: await photo(240, 168).png().toBuffer(),
  webp: await photo(440, 308).webp({ quality: 95 }).toBuffer(),
  avif: await photo(300, 225).avif({ quality: 90, effort: 0 }).toBuffer(),
  gif: await photo(200, 142).gif().toBuffer(),
} as const
const formats = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const

describe.each(formats)('%s', (format) => {
  const source = sources[format]

  test('to a size: never above it, near it, and still the same picture to another reader', async () => {
    await using folder = await testFolder()
    for (const share of [0.6, 0.25]) {
      const targetKb = Math.floor(kb(source.length) * share)
      const output = await compress(folder.path, source, toSize(targetKb))
      const bytes = await readFile(output.path)
      expect(bytes.length).toBe(output.bytes)
      expect(kb(bytes.length)).toBeLessThanOrEqual(targetKb)
      expect(kb(bytes.length) / targetKb).toBeGreaterThan(0.85)
      const [before, after] = [readPicture(source), readPicture(bytes)]
      expect(after.format.toLowerCase()).toContain(format === 'jpeg' ? 'jp' : format)
      if (output.width === before.width) expect(similarityOf(before, after)).toBeGreaterThan(0.7)
    }
  })

  test('already small enough: the original bytes, untouched', async () => {
    await using folder = await testFolder()
    const output = await compress(folder.path, source, toSize(Math.ceil(kb(source.length))))
    expect(output.note).toEqual({ kind: 'unchanged' })
    expect((await readFile(output.path)).equals(source)).toBe(true)
  })

  test('far too small a target: the picture shrinks and the note says so', async () => {
    await using folder = await testFolder()
    const output = await compress(folder.path, source, toSize(1))
    expect(kb(output.bytes)).toBeLessThanOrEqual(1)
    expect(output.note?.kind).toBe('shrunk')
    const seen = readPicture(await readFile(output.path))
    expect([seen.width, seen.height]).toEqual([output.width, output.height])
    expect(seen.width / seen.height).toBeCloseTo((output.width ?? 0) / (output.height ?? 1), 1)
  })

  test('keeping its pixels, an impossible target gives the smallest reached and says it missed', async () => {
    await using folder = await testFolder()
    const output = await compress(folder.path, source, toSize(1, { keepPixels: true }))
    expect(output.note).toEqual({ kind: 'missed', targetBytes: 1024, bestBytes: output.bytes })
    expect(output.bytes).toBeLessThan(source.length)
    expect(readPicture(await readFile(output.path))).toMatchObject({ width: output.width, height: output.height })
  })

  test('a minimum is reached by harmless padding that other readers skip', async () => {
    await using folder = await testFolder()
    const minKb = Math.ceil(kb(source.length)) + 3
    const output = await compress(folder.path, source, toSize(minKb + 20, { minKb }))
    const bytes = await readFile(output.path)
    expect(kb(bytes.length)).toBeGreaterThanOrEqual(minKb)
    expect(kb(bytes.length)).toBeLessThanOrEqual(minKb + 20)
    expect(similarityOf(readPicture(source), readPicture(bytes))).toBeGreaterThan(0.999)
    await sharp(bytes, { failOn: 'warning' }).raw().toBuffer()
  })

  test('a window is met from above as well', async () => {
    await using folder = await testFolder()
    const targetKb = Math.floor(kb(source.length) * 0.4)
    const output = await compress(folder.path, source, toSize(targetKb, { minKb: targetKb - 0.01 }))
    expect(kb(output.bytes)).toBeLessThanOrEqual(targetKb)
    expect(kb(output.bytes)).toBeGreaterThanOrEqual(targetKb - 0.01)
    await sharp(await readFile(output.path), { failOn: 'warning' })
      .raw()
      .toBuffer()
  })

  test('to a part of its size, and by quality: less quality, fewer bytes, never more than the source', async () => {
    await using folder = await testFolder()
    const half = await compress(folder.path, source, { goal: { by: 'percent', percent: 50 } })
    expect(half.bytes).toBeLessThanOrEqual(source.length / 2)
    const [low, high, most] = await Promise.all(
      [20, 70, 100].map((quality) => compress(folder.path, source, { goal: { by: 'quality', quality } }, `${quality}.bin`)),
    )
    expect(low?.bytes).toBeLessThan(high?.bytes ?? 0)
    expect(most?.bytes).toBeLessThanOrEqual(source.length)
  })
})

test('a screenshot in a quarter of its bytes keeps its letters', async () => {
  await using folder = await testFolder()
  const source = await screenshot(900, 600).png({ compressionLevel: 1 }).toBuffer()
  const output = await compress(folder.path, source, { goal: { by: 'percent', percent: 25 } })
  expect(similarityOf(readPicture(source), readPicture(await readFile(output.path)))).toBeGreaterThan(0.97)
})

test('a thin picture keeps its shape when it shrinks', async () => {
  await using folder = await testFolder()
  for (const [width, height] of [
    [4000, 30],
    [30, 4000],
  ] as const) {
    const output = await compress(folder.path, await photo(width, height).jpeg({ quality: 95 }).toBuffer(), toSize(1))
    expect(output.note?.kind).toBe('shrunk')
    expect(Math.log((output.width ?? 0) / (output.height ?? 1) / (width / height))).toBeCloseTo(0, 1)
  }
})

test('a minimum never breaks a file that does not end where it should', async () => {
  await using folder = await testFolder()
  const png = await photo(100, 80).png().toBuffer()
  const closed = await photo(100, 80).webp().toBuffer()
  for (const source of [png.subarray(0, -12), Buffer.concat([closed, Buffer.from('PK trailing')])]) {
    const output = await compress(folder.path, source, toSize(60, { minKb: 50 }))
    const bytes = await readFile(output.path)
    expect([kb(bytes.length) >= 50, kb(bytes.length) <= 60, bytes.includes('PK trailing')]).toEqual([true, true, false])
    expect(readPicture(bytes)).toMatchObject({ width: 100, height: 80 })
    await sharp(bytes, { failOn: 'warning' }).raw().toBuffer()
  }
})

test('padding stops at the limit, however narrow the window', async () => {
  await using folder = await testFolder()
  for (const format of formats) {
    const source = sources[format]
    for (const more of [1, 2, 3, 5]) {
      const targetKb = (source.length + more) / 1024
      const output = await compress(folder.path, source, toSize(targetKb, { minKb: targetKb }))
      expect(output.bytes).toBeLessThanOrEqual(source.length + more)
    }
  }
})

test('a side longer than an encoder takes is told beforehand', async () => {
  const pixels = { data: Buffer.alloc(16_384 * 4 * 3, 90), width: 16_384, height: 4, channels: 3 } as const
  const origin = { isChromaSubsampled: true, isLossless: false }
  const aim = { limitBytes: 500, msLeft: () => 60_000, keepsPixels: true }
  await expect(fitPicture(webp, pixels, origin, aim)).rejects.toMatchObject({
    code: 'format.side-limit',
    data: { format: 'WebP', maxSidePx: 16_383 },
  })
})

test('whatever the target, a JPEG is never above it and never larger than it was', async () => {
  await using folder = await testFolder()
  const source = await photo(320, 240).jpeg({ quality: 92 }).toBuffer()
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 400 }), fc.boolean(), async (tenths, keepPixels) => {
      const output = await compress(folder.path, source, toSize(tenths / 10, { keepPixels }))
      expect(output.bytes).toBeLessThanOrEqual(source.length)
      if (output.note?.kind !== 'missed') expect(output.bytes).toBeLessThanOrEqual((tenths / 10) * 1024)
      else expect(keepPixels).toBe(true)
    }),
    { numRuns: 25, seed: 20_261_121 },
  )
})

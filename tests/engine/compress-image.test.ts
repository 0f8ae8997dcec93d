import fc from 'fast-check'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { compress, testFolder } from '../fixtures/engine.ts'
import { colourAt, readPicture, similarityOf } from '../fixtures/oracle.ts'
import { animatedWebp, orientedJpeg, photo, screenshot } from '../fixtures/pictures.ts'

const toSize = (targetKb: number, more: object = {}) => ({ goal: { by: 'size', targetKb, ...more } })
const kb = (bytes: number): number => bytes / 1024

const sources = {
  jpeg: await photo(1000, 700).jpeg({ quality: 95 }).toBuffer(),
  png: await photo(500, 350).png().toBuffer(),
  webp: await photo(700, 500).webp({ quality: 95 }).toBuffer(),
  avif: await photo(400, 300).avif({ quality: 90, effort: 0 }).toBuffer(),
} as const
const formats = ['jpeg', 'png', 'webp', 'avif'] as const

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
    expect(seen.width / seen.height).toBeCloseTo(output.width / output.height, 1)
  })

  test('keeping its pixels, an impossible target gives the smallest reached and says it missed', async () => {
    await using folder = await testFolder()
    const output = await compress(folder.path, source, toSize(1, { keepPixels: true }))
    expect(output.note).toEqual({ kind: 'missed', bestBytes: output.bytes })
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

test.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i comes out upright without any tag', async (orientation) => {
  await using folder = await testFolder()
  const source = await orientedJpeg(orientation)
  const output = await compress(folder.path, source, { goal: { by: 'quality', quality: 60 } })
  const seen = readPicture(await readFile(output.path))
  expect([seen.width, seen.height]).toEqual([90, 60])
  expect(seen.orientation).toBeLessThanOrEqual(1)
  expect(colourAt(seen, 20, 15)[0]).toBeGreaterThan(180)
  expect(colourAt(seen, 70, 45)[2]).toBeGreaterThan(180)
})

describe('transparency', () => {
  test.each(['png', 'webp', 'avif'] as const)('is kept in %s at every size', async (format) => {
    await using folder = await testFolder()
    const source = await photo(400, 300, 4)
      .toFormat(format, format === 'png' ? {} : { quality: 95 })
      .toBuffer()
    for (const targetKb of [kb(source.length) / 2, kb(source.length) / 8, 3]) {
      const output = await compress(folder.path, source, toSize(Number(targetKb.toFixed(1))))
      const seen = readPicture(await readFile(output.path))
      expect(seen.hasAlpha).toBe(true)
      expect(colourAt(seen, 1, seen.height >> 1)[3]).toBeLessThan(40)
      expect(colourAt(seen, seen.width - 2, seen.height >> 1)[3]).toBeGreaterThan(215)
    }
  })
})

describe('colour', () => {
  const red = { r: 200, g: 40, b: 30 }
  const plain = sharp({ create: { width: 320, height: 240, channels: 3, background: red } })
  const expected = [200, 40, 30]
  const near = (colour: readonly number[]): void =>
    expected.forEach((value, index) => expect(Math.abs((colour[index] ?? 0) - value)).toBeLessThan(20))

  test.each(['p3', 'cmyk'] as const)('a %s picture looks the same in sRGB', async (profile) => {
    await using folder = await testFolder()
    const source = await plain.clone().withIccProfile(profile).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer()
    const output = await compress(folder.path, source, { goal: { by: 'quality', quality: 50 } })
    const seen = readPicture(await readFile(output.path))
    near(colourAt(seen, 100, 100))
    expect(seen.profiles).not.toContain('icc')
  })

  test('16-bit samples become 8-bit ones of the same colour', async () => {
    await using folder = await testFolder()
    const source = await photo(200, 150).toColourspace('rgb16').png().toBuffer()
    const output = await compress(folder.path, source, toSize(kb(source.length) / 3))
    expect(similarityOf(readPicture(await sharp(source).png().toBuffer()), readPicture(await readFile(output.path)))).toBeGreaterThan(0.9)
  })

  test('grey stays grey', async () => {
    await using folder = await testFolder()
    const source = await photo(600, 400).toColourspace('b-w').jpeg({ quality: 95 }).toBuffer()
    const output = await compress(folder.path, source, toSize(20))
    expect((await sharp(output.path).metadata()).channels).toBe(1)
  })
})

describe('metadata', () => {
  const exif = { IFD0: { Make: 'Qingtu', Copyright: 'someone' }, IFD3: { GPSLatitudeRef: 'N' } }

  test.each(formats)('of %s goes by default and stays on request, with the profile', async (format) => {
    await using folder = await testFolder()
    const encoded = photo(500, 400)
      .withExif(exif)
      .withIccProfile('p3')
      .toFormat(format, format === 'png' ? {} : { quality: 95 })
    const source = await encoded.toBuffer()
    const target = Number((kb(source.length) * 0.6).toFixed(1))
    const stripped = await sharp((await compress(folder.path, source, toSize(target))).path).metadata()
    expect([stripped.exif, stripped.icc]).toEqual([undefined, undefined])
    const kept = await compress(folder.path, source, { ...toSize(target), keepMetadata: true })
    const metadata = await sharp(kept.path).metadata()
    expect(metadata.exif?.includes('Qingtu')).toBe(true)
    expect(metadata.icc).toBeDefined()
    expect(kb(kept.bytes)).toBeLessThanOrEqual(target)
    const colours = await Promise.all(
      [source, await readFile(kept.path)].map((bytes) => sharp(bytes).resize(1, 1).removeAlpha().raw().toBuffer()),
    )
    expect([...(colours[0] ?? [])].every((value, index) => Math.abs(value - (colours[1]?.[index] ?? 0)) < 6)).toBe(true)
  })

  test('kept EXIF does not turn the picture a second time', async () => {
    await using folder = await testFolder()
    const output = await compress(folder.path, await orientedJpeg(6), { goal: { by: 'quality', quality: 60 }, keepMetadata: true })
    const { width, height, orientation } = await sharp(output.path).metadata()
    expect([width, height, orientation ?? 1]).toEqual([90, 60, 1])
  })
})

describe('animation', () => {
  test('a WebP animation keeps its frames, times and loops', async () => {
    await using folder = await testFolder()
    const source = await animatedWebp(120, 90, 6)
    const output = await compress(folder.path, source, toSize(Math.floor(kb(source.length) / 3)))
    expect(await sharp(output.path, { animated: true }).metadata()).toMatchObject({ pages: 6, delay: [40, 50, 60, 70, 80, 90], loop: 3 })
    expect(output.bytes).toBeLessThanOrEqual(source.length / 3)
  })

  test('an animated PNG over the limit is refused, not flattened; under it, it passes untouched', async () => {
    await using folder = await testFolder()
    const png = await photo(200, 150).png().toBuffer()
    const control = Buffer.from('000000086163544c0000000200000000f38d9370', 'hex')
    const apng = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)])
    await expect(compress(folder.path, apng, toSize(5))).rejects.toMatchObject({ code: 'file.animated' })
    expect((await compress(folder.path, apng, toSize(500))).note).toEqual({ kind: 'unchanged' })
  })
})

test('a screenshot in a quarter of its bytes keeps its letters', async () => {
  await using folder = await testFolder()
  const source = await screenshot(900, 600).png({ compressionLevel: 1 }).toBuffer()
  const output = await compress(folder.path, source, { goal: { by: 'percent', percent: 25 } })
  expect(similarityOf(readPicture(source), readPicture(await readFile(output.path)))).toBeGreaterThan(0.97)
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

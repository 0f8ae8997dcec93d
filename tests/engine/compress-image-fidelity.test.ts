import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { compress, kb, testFolder, toSize } from '../fixtures/engine.ts'
import { colourAt, readPicture, similarityOf } from '../fixtures/oracle.ts'
import { animatedWebp, orientedJpeg, photo } from '../fixtures/pictures.ts'

const formats = ['jpeg', 'png', 'webp', 'avif'] as const

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
    const source = await photo(240, 180, 4)
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

test('grey with transparency keeps both', async () => {
  await using folder = await testFolder()
  const source = await photo(300, 200, 4).toColourspace('b-w').png().toBuffer()
  expect((await sharp(source).metadata()).channels).toBe(2)
  for (const targetKb of [12, 4]) {
    const seen = readPicture(await readFile((await compress(folder.path, source, toSize(targetKb))).path))
    const middle = seen.height >> 1
    expect([seen.hasAlpha, (colourAt(seen, 1, middle)[3] ?? 255) < 40, (colourAt(seen, seen.width - 2, middle)[3] ?? 0) > 215]).toEqual([
      true,
      true,
      true,
    ])
  }
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

  test.each(['srgb', 'p3'] as const)('a 16-bit picture with a %s profile looks the same in sRGB', async (profile) => {
    await using folder = await testFolder()
    const source = await plain.clone().withIccProfile(profile).toColourspace('rgb16').png().toBuffer()
    expect(await sharp(source).metadata()).toMatchObject({ depth: 'ushort', hasProfile: true })
    const output = await compress(folder.path, source, toSize(kb(source.length) / 2))
    near(colourAt(readPicture(await readFile(output.path)), 100, 100))
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
    const encoded = photo(320, 240)
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

  test('that leaves no room for the picture goes, and the note says so', async () => {
    await using folder = await testFolder()
    const comment = 'x'.repeat(40_000)
    const source = await photo(800, 600)
      .withExif({ IFD0: { ImageDescription: comment } })
      .jpeg({ quality: 95 })
      .toBuffer()
    const output = await compress(folder.path, source, { ...toSize(50), keepMetadata: true })
    expect(output).toMatchObject({ width: 800, height: 600, note: { kind: 'stripped' } })
    expect(kb(output.bytes)).toBeLessThanOrEqual(50)
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

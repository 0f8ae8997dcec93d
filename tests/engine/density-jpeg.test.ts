import exifr from 'exifr'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { corpusFiles } from '../fixtures/bitmaps.ts'
import { compress, kb, testFolder, toSize } from '../fixtures/engine.ts'
import { densityOf } from '../fixtures/density.ts'
import { namedRgb, scanAt, withAdobe, withExif, withJfif, withSegment } from '../fixtures/jpeg.ts'
import { photo, randomFrom } from '../fixtures/pictures.ts'
import { tiffOf, type TiffValue } from '../fixtures/tiff.ts'
import { dpiOf, withDpi } from '#engine/image/density/density'
import { toWire } from '#shared/errors/app-error'
import { readFile } from 'node:fs/promises'

const plain = await photo(96, 64).jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer()
const progressive = await photo(96, 64).jpeg({ progressive: true }).toBuffer()
const grey = await photo(96, 64).toColourspace('b-w').jpeg().toBuffer()
const cmyk = await photo(96, 64).withIccProfile('cmyk').jpeg().toBuffer()
const samples = (file: Buffer): Promise<Buffer> => sharp(file).raw().toBuffer()

/** What exifr, not our own, reads. */
async function said(file: Buffer) {
  const { jfif, ifd0 } = (await exifr.parse(file, { jfif: true, tiff: true, mergeOutput: false, translateValues: false })) ?? {}
  return { jfif, ifd0 }
}

const camera: Readonly<Record<number, TiffValue>> = {
  271: 'Qingtu',
  274: [6],
  282: { over: [720, 10] },
  283: { over: [720, 10] },
  296: [3],
}

describe('a JPEG', () => {
  const kinds: readonly (readonly [string, Buffer])[] = [
    ['without JFIF', plain],
    ['with JFIF that gives a ratio', withJfif(plain, 0, 1)],
    ['with JFIF in centimetres', withJfif(plain, 2, 28)],
    ['progressive', progressive],
    ['grey', grey],
    ['CMYK with Adobe', cmyk],
    ['with Adobe, YCbCr', withAdobe(plain, 1)],
    ['with a comment first', withSegment(plain, 0xfe, Buffer.from('hello'))],
    ['with a file behind it', Buffer.concat([plain, Buffer.from('PK\x03\x04 and more')])],
  ]
  test.each(kinds)('%s gets JFIF per inch; its coded pixels are the same bytes', async (_title, source) => {
    for (const dpi of [1, 300, 2400]) {
      const file = withDpi(source, 'jpeg', dpi)
      expect((await said(file)).jfif).toMatchObject({ ResolutionUnit: 1, XResolution: dpi, YResolution: dpi })
      if (dpi > 25) expect((await sharp(file).metadata()).density).toBe(dpi) // sharp takes 25.4 and less for none
      expect(dpiOf(file, 'jpeg')).toBe(dpi)
      expect(file.subarray(scanAt(file)).equals(source.subarray(scanAt(source)))).toBe(true)
      expect((await samples(file)).equals(await samples(source))).toBe(true)
      expect(withDpi(withDpi(file, 'jpeg', 96), 'jpeg', dpi).equals(file)).toBe(true)
    }
  })

  test.each(['II', 'MM'] as const)('with EXIF in %s order says it there too, and keeps the rest', async (order) => {
    const tiff = tiffOf([{ entries: camera }, { entries: { 259: [6], 282: { over: [72, 1] } } }], { order })
    for (const source of [withExif(plain, tiff), withJfif(withExif(plain, tiff), 1, 72)]) {
      const file = withDpi(source, 'jpeg', 300)
      const { jfif, ifd0 } = await said(file)
      expect(jfif.XResolution).toBe(300)
      expect(ifd0).toMatchObject({ Make: 'Qingtu', Orientation: 6, XResolution: 300, YResolution: 300, ResolutionUnit: 2 })
      expect(file.length - source.length).toBe(source.includes('JFIF') ? 0 : 18)
      expect((await sharp(file).metadata()).orientation).toBe(6)
      expect((await samples(file)).equals(await samples(source))).toBe(true)
    }
  })

  test.each(['II', 'MM'] as const)('with EXIF in %s order that says no density gets one there', async (order) => {
    const source = withExif(plain, tiffOf([{ entries: { 271: 'Qingtu', 274: [3], 306: '2024:05:06 07:08:09' } }], { order }))
    const file = withDpi(source, 'jpeg', 150)
    expect((await said(file)).ifd0).toMatchObject({ Make: 'Qingtu', Orientation: 3, XResolution: 150, YResolution: 150, ResolutionUnit: 2 })
    expect((await exifr.parse(file, { reviveValues: false })).ModifyDate).toBe('2024:05:06 07:08:09')
  })

  test('with broken EXIF gets JFIF, and the EXIF stays as it was', async () => {
    const source = withExif(plain, Buffer.from('II*\0\xff\xff\0\0 nothing here', 'latin1'))
    const file = withDpi(source, 'jpeg', 300)
    expect(dpiOf(file, 'jpeg')).toBe(300)
    expect(file.subarray(20).equals(source.subarray(2))).toBe(true)
  })

  test.each([
    ['by Adobe', withAdobe(plain, 0)],
    ['by its components', namedRgb(plain)],
  ])('in RGB %s keeps its colours: EXIF says the density, not JFIF', async (_title, source) => {
    const file = withDpi(source, 'jpeg', 300)
    expect((await samples(source)).equals(await samples(plain))).toBe(false)
    expect((await samples(file)).equals(await samples(source))).toBe(true)
    expect((await sharp(file).metadata()).density).toBe(300)
    expect(await said(file)).toMatchObject({ ifd0: { XResolution: 300 } })
    expect(dpiOf(file, 'jpeg')).toBe(300)
  })

  test('of Photoshop says it in its resources too', () => {
    const info = Buffer.from('00480000000100010048000000010001', 'hex')
    const resources = Buffer.concat([Buffer.from('8BIM\x03\xed\0\0\0\0\0\x10', 'latin1'), info])
    const source = withSegment(plain, 0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0', 'latin1'), resources]))
    const at = withDpi(source, 'jpeg', 300).indexOf('8BIM') + 12
    const data = withDpi(source, 'jpeg', 300).subarray(at, at + 16)
    expect([data.readUInt32BE(0), data.readUInt16BE(4), data.readUInt32BE(8)]).toEqual([300 * 65_536, 1, 300 * 65_536])
  })

  test('says what density it has, in inches', () => {
    expect(dpiOf(plain, 'jpeg')).toBeUndefined()
    expect(dpiOf(withJfif(plain, 0, 1), 'jpeg')).toBeUndefined()
    expect(dpiOf(withJfif(plain, 2, 118), 'jpeg')).toBe(300)
    expect(dpiOf(withExif(plain, tiffOf([{ entries: camera }], { order: 'MM' })), 'jpeg')).toBe(183)
    expect(dpiOf(Buffer.from('no JPEG'), 'jpeg')).toBeUndefined()
  })

  test('cut or changed anywhere is patched or refused, never a crash', () => {
    const random = randomFrom(9)
    const source = withJfif(withExif(plain, tiffOf([{ entries: camera }], { order: 'MM' })), 1, 72)
    const outcome = (file: Buffer): string => {
      try {
        return typeof withDpi(file, 'jpeg', 300).length
      } catch (thrown) {
        return toWire(thrown).code
      }
    }
    for (let length = 0; length < 900; length++) expect(['number', 'file.unreadable']).toContain(outcome(source.subarray(0, length)))
    for (let round = 0; round < 1500; round++) {
      const changed = Buffer.from(source)
      for (let n = 0; n < 3; n++) changed[Math.floor(random() * 260)] = Math.floor(random() * 256)
      expect(['number', 'file.unreadable']).toContain(outcome(changed))
      expect(typeof (dpiOf(changed, 'jpeg') ?? 0)).toBe('number')
    }
  })

  test('beside the project keeps its pixels and its direction', async () => {
    for (const [name, source] of [...corpusFiles('orient'), ...corpusFiles('cmyk_special')]) {
      const file = withDpi(source, 'jpeg', 300)
      const [before, after] = await Promise.all([source, file].map((bytes) => sharp(bytes).metadata()))
      expect({ name, orientation: after?.orientation, format: after?.format }).toEqual({
        name,
        orientation: before?.orientation,
        format: before?.format,
      })
      expect({ name, dpi: await densityOf(file) }).toEqual({ name, dpi: 300 })
      const [left, right] = await Promise.all([source, file].map((bytes) => sharp(bytes).resize(300).raw().toBuffer()))
      expect({ name, same: left?.equals(right ?? Buffer.alloc(0)) }).toEqual({ name, same: true })
    }
  })
})

describe('a compressed JPEG', () => {
  test('keeps the density of its source, and none where there was none, within its limit', async () => {
    await using folder = await testFolder()
    const source = await photo(700, 500).jpeg({ quality: 97 }).toBuffer()
    for (const [given, dpi] of [
      [withDpi(source, 'jpeg', 300), 300],
      [source, undefined],
    ] as const) {
      for (const targetKb of [60, 12, 2]) {
        const output = await compress(folder.path, given, toSize(targetKb))
        const bytes = await readFile(output.path)
        expect(kb(bytes.length)).toBeLessThanOrEqual(targetKb)
        expect([dpiOf(bytes, 'jpeg'), await said(bytes).then(({ jfif }) => jfif?.XResolution)]).toEqual([dpi, dpi])
      }
    }
  })
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import exifr from 'exifr'
import sharp from 'sharp'
import { decode as decodeTiff, decodeImage } from 'utif2'
import { describe, expect, test } from 'vitest'
import { bmpFile, corpusFiles } from '../fixtures/bitmaps.ts'
import { densityOf } from '../fixtures/density.ts'
import { testFolder } from '../fixtures/engine.ts'
import { readPicture } from '../fixtures/oracle.ts'
import { animatedWebp, photo, photoSamples, randomFrom } from '../fixtures/pictures.ts'
import { greyPage, tiffOf } from '../fixtures/tiff.ts'
import { writeBmp } from '#engine/codecs/bmp/write-bmp'
import { encode } from '#engine/codecs/encode'
import { dpiOf, withDpi } from '#engine/image/density/density'
import { decode, openPicture } from '#engine/image/open'
import { resized } from '#engine/image/pixels'
import { pngChunk, withChunks } from '#engine/image/png-chunks'
import { localLimits } from '#engine/limits'
import { toWire } from '#shared/errors/app-error'
import type { DensityId } from '#shared/tools/set-dpi'

const codeOf = (run: () => unknown): string => {
  try {
    run()
    return 'done'
  } catch (thrown) {
    return toWire(thrown).code
  }
}
/** The samples of every frame of the same size, else of the first page. */
const samplesOf = (file: Buffer): Promise<Buffer> =>
  sharp(file, { animated: true })
    .raw()
    .toBuffer()
    .catch(() => sharp(file).raw().toBuffer())
const sameSeen = (left: Buffer, right: Buffer): boolean => Buffer.from(readPicture(left).data).equals(Buffer.from(readPicture(right).data))

const picture = photo(80, 60)
const clear = photo(80, 60, 4)
const exif = { IFD0: { Make: 'Qingtu', XResolution: '72/1' } }
const grey = Buffer.from(photoSamples(40, 30).subarray(0, 1200))
const pages = [greyPage(40, 30, grey), greyPage(20, 10, grey.subarray(0, 200), { 282: { over: [1, 1] }, 283: { over: [1, 1] }, 296: [1] })]

const png = await picture.clone().png().toBuffer()
const files: Readonly<Record<string, readonly [DensityId, Buffer]>> = {
  png: ['png', png],
  'png with pHYs': ['png', await picture.clone().withMetadata({ density: 72 }).png().toBuffer()],
  'png with a palette': ['png', await picture.clone().png({ palette: true }).toBuffer()],
  'png of 16 bits': ['png', await picture.clone().toColourspace('rgb16').png().toBuffer()],
  'png with data behind it': ['png', Buffer.concat([png, Buffer.from('PK\x03\x04')])],
  webp: ['webp', await picture.clone().webp().toBuffer()],
  'webp, lossless': ['webp', await picture.clone().webp({ lossless: true }).toBuffer()],
  'webp with alpha': ['webp', await clear.clone().webp().toBuffer()],
  'webp, lossless with alpha': ['webp', await clear.clone().webp({ lossless: true }).toBuffer()],
  'webp with EXIF': ['webp', await picture.clone().withExif(exif).webp().toBuffer()],
  'webp with XMP': ['webp', await picture.clone().withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>').webp().toBuffer()],
  'webp that moves': ['webp', await animatedWebp(40, 30, 3)],
  tiff: ['tiff', await picture.clone().tiff({ compression: 'lzw' }).toBuffer()],
  'tiff in tiles': ['tiff', await picture.clone().tiff({ tile: true, tileWidth: 16, tileHeight: 16, compression: 'deflate' }).toBuffer()],
  'tiff, big': ['tiff', await picture.clone().tiff({ bigtiff: true }).toBuffer()],
  'tiff of a Mac': ['tiff', tiffOf(pages, { order: 'MM' })],
  'tiff of a PC': ['tiff', tiffOf(pages, { order: 'II' })],
  'big tiff of a Mac': ['tiff', tiffOf(pages, { order: 'MM', isBig: true })],
  'big tiff of a PC': ['tiff', tiffOf(pages, { order: 'II', isBig: true })],
  'tiff of odd length': ['tiff', Buffer.concat([tiffOf(pages, { order: 'MM' }), Buffer.from([7])])],
}

describe.each(Object.entries(files))('%s', (_title, [format, source]) => {
  test('says the density to other readers, and its pixels are the same', async () => {
    for (const dpi of [1, 300, 2400]) {
      const file = withDpi(source, format, dpi)
      // sharp takes 25.4 dpi and less for none.
      if (dpi > 25) expect(await densityOf(file)).toBe(dpi)
      expect(dpiOf(file, format)).toBe(dpi)
      const [before, after] = await Promise.all([source, file].map(samplesOf))
      expect(after?.equals(before ?? Buffer.alloc(0))).toBe(true)
      expect(sameSeen(file, source)).toBe(true)
    }
  })

  test('set twice is set once', () => {
    const once = withDpi(source, format, 300)
    expect(withDpi(withDpi(once, format, 96), format, 300).equals(once)).toBe(true)
  })

  test('cut or changed anywhere it is patched or refused', () => {
    const random = randomFrom(11)
    for (let length = 0; length < source.length; length += 1 + (length >> 5)) {
      expect(['done', 'file.unreadable']).toContain(codeOf(() => withDpi(source.subarray(0, length), format, 300)))
    }
    for (let round = 0; round < 300; round++) {
      const changed = Buffer.from(source)
      for (let n = 0; n < 3; n++) changed[Math.floor(random() * Math.min(200, changed.length))] = Math.floor(random() * 256)
      expect(['done', 'file.unreadable']).toContain(codeOf(() => withDpi(changed, format, 300)))
      expect(typeof (dpiOf(changed, format) ?? 0)).toBe('number')
    }
  })
})

describe('PNG', () => {
  const chunksOf = (file: Buffer): { type: string; data: Buffer; isSound: boolean }[] => {
    const chunks = []
    for (let at = 8; at < file.length;) {
      const size = file.readUInt32BE(at)
      const body = file.subarray(at + 4, at + 8 + size)
      chunks.push({
        type: body.toString('latin1', 0, 4),
        data: body.subarray(4),
        isSound: crc32(body) === file.readUInt32BE(at + 8 + size),
      })
      at += size + 12
    }
    return chunks
  }

  test('has one pHYs, directly behind its header, and every checksum is right', () => {
    const old = pngChunk('pHYs', Buffer.from('00000b1300000b1301', 'hex'))
    const chunks = chunksOf(withDpi(withChunks(png, old), 'png', 300))
    expect(chunks.map(({ type }) => type).filter((type) => type === 'pHYs')).toHaveLength(1)
    expect(chunks[1]?.type).toBe('pHYs')
    expect(chunks[1]?.data.toString('hex')).toBe('00002e2300002e2301')
    expect(chunks.every(({ isSound }) => isSound)).toBe(true)
  })

  test('has its EXIF corrected', async () => {
    const file = withDpi(await picture.clone().withExif(exif).png().toBuffer(), 'png', 300)
    expect(await exifr.parse(file)).toMatchObject({ Make: 'Qingtu', XResolution: 300, YResolution: 300 })
    expect(chunksOf(file).every(({ isSound }) => isSound)).toBe(true)
  })
})

describe('WebP', () => {
  const flags = (file: Buffer): number => (file.toString('latin1', 12, 16) === 'VP8X' ? (file[20] ?? 0) : -1)

  test('is extended when it is simple, and its flags say what it holds', () => {
    const simple = withDpi(files['webp']?.[1] ?? Buffer.alloc(0), 'webp', 300)
    expect([flags(simple), simple.readUIntLE(24, 3) + 1, simple.readUIntLE(27, 3) + 1]).toEqual([0x08, 80, 60])
    expect(flags(withDpi(files['webp, lossless with alpha']?.[1] ?? Buffer.alloc(0), 'webp', 300))).toBe(0x18)
    expect(simple.readUInt32LE(4) + 8).toBe(simple.length)
  })

  test('keeps its other EXIF', async () => {
    const file = withDpi(files['webp with EXIF']?.[1] ?? Buffer.alloc(0), 'webp', 300)
    const { exif: block } = await sharp(file).metadata()
    const lead = block?.toString('latin1', 0, 4) === 'Exif' ? 6 : 0
    expect(await exifr.parse(block?.subarray(lead) ?? Buffer.alloc(0))).toMatchObject({ Make: 'Qingtu', XResolution: 300 })
  })
})

describe('TIFF', () => {
  test.each(['tiff of a Mac', 'tiff of a PC'])('%s has the density on every page', (title) => {
    const [, source = Buffer.alloc(0)] = files[title] ?? []
    const file = withDpi(source, 'tiff', 600)
    const read = decodeTiff(file)
    expect(read).toHaveLength(2)
    for (const [index, page] of read.entries()) {
      expect([page['t282'], page['t283'], page['t296']]).toEqual([[[600, 1]], [[600, 1]], [2]])
      decodeImage(file, page)
      expect(Buffer.from(page.data).equals(grey.subarray(0, index === 0 ? 1200 : 200))).toBe(true)
    }
  })

  test('whose directories go in a circle is refused', () => {
    const circle = Buffer.from(tiffOf(pages.slice(0, 1), { order: 'II' }))
    circle.writeUInt32LE(8, 8 + 2 + 9 * 12)
    expect(codeOf(() => withDpi(circle, 'tiff', 300))).toBe('file.unreadable')
  })
})

describe('BMP', () => {
  test('has the density in its header, and nothing else changes', () => {
    const source = writeBmp({ data: photoSamples(9, 7), width: 9, height: 7, channels: 3 })
    const file = withDpi(source, 'bmp', 300)
    expect([file.readInt32LE(38), file.readInt32LE(42)]).toEqual([11_811, 11_811])
    expect([dpiOf(source, 'bmp'), dpiOf(file, 'bmp')]).toEqual([undefined, 300])
    file.fill(0, 38, 46)
    expect(file.equals(source)).toBe(true)
  })

  test('of OS/2 has no room for it, and says so', () => {
    const old = bmpFile({ width: 1, height: 1, bits: 24, headerBytes: 12, samples: Buffer.alloc(4) })
    expect(codeOf(() => withDpi(old, 'bmp', 300))).toBe('format.no-density')
    expect(dpiOf(old, 'bmp')).toBeUndefined()
  })
})

test('pictures beside the project keep their pixels', async () => {
  const categories = [
    ['webp', 'webp'],
    ['webp_anim', 'webp'],
    ['tiff', 'tiff'],
    ['png16', 'png'],
    ['png_alpha', 'png'],
  ] as const
  for (const [category, format] of categories) {
    for (const [name, source] of corpusFiles(category)) {
      const before = await samplesOf(source).catch(() => undefined)
      if (before === undefined) continue
      const file = withDpi(source, format, 300)
      expect({ name, same: (await samplesOf(file)).equals(before) }).toEqual({ name, same: true })
      expect({ name, dpi: await densityOf(file) }).toEqual({ name, dpi: 300 })
    }
  }
})

test.each(['jpeg', 'png', 'tiff'] as const)(
  'a picture encoded as %s keeps the density of its source, and has none without',
  async (format) => {
    await using folder = await testFolder()
    const path = join(folder.path, 'source')
    for (const [source, dpi] of [
      [withDpi(png, 'png', 300), 300],
      [png, undefined],
    ] as const) {
      await writeFile(path, source)
      const pixels = await decode(await openPicture(path, ['png'], localLimits), false)
      const file = await encode(await resized(pixels, 40, 30), format, { quality: 80 })
      expect(await densityOf(file)).toBe(dpi)
    }
  },
)

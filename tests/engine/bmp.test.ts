import { ColorType, CompressionMethod, ImageMagick, MagickFormat, QuantizeSettings } from '@imagemagick/magick-wasm'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { bmpFile } from '../fixtures/bitmaps.ts'
import { readPicture } from '../fixtures/oracle.ts'
import { photo, photoSamples, randomFrom } from '../fixtures/pictures.ts'
import { readBmp } from '#engine/codecs/bmp/read-bmp'
import type { Bitmap } from '#engine/codecs/bmp/samples'
import { writeBmp } from '#engine/codecs/bmp/write-bmp'
import { localLimits } from '#engine/limits'
import { AppError } from '#shared/errors/app-error'

const read = (file: Buffer): Promise<Bitmap> => readBmp(file, localLimits)
const rgba = ({ data, width, height, channels }: Omit<Bitmap, 'channels'> & { channels: number }): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: channels === 4 ? 4 : 3 } })
    .ensureAlpha()
    .raw()
    .toBuffer()
const pixelsOf = async (file: Buffer): Promise<number[][]> => {
  const { data, channels } = await read(file)
  return Array.from({ length: data.length / channels }, (_, index) => [...data.subarray(index * channels, (index + 1) * channels)])
}
const codeOf = async (file: Buffer): Promise<string> => {
  try {
    await read(file)
    return 'read'
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.code
    throw thrown
  }
}

describe('files ImageMagick writes', () => {
  const kinds = [
    ['OS/2 1.x, 24 bits', MagickFormat.Bmp2, 0, CompressionMethod.NoCompression],
    ['OS/2 1.x, a palette', MagickFormat.Bmp2, 60, CompressionMethod.NoCompression],
    ['Windows 3, 24 bits', MagickFormat.Bmp3, 0, CompressionMethod.NoCompression],
    ['Windows 3, 256 colours', MagickFormat.Bmp3, 200, CompressionMethod.NoCompression],
    ['Windows 3, 256 colours in runs', MagickFormat.Bmp3, 200, CompressionMethod.RLE],
    ['Windows 3, 16 colours', MagickFormat.Bmp3, 16, CompressionMethod.NoCompression],
    ['Windows 3, 2 colours', MagickFormat.Bmp3, 2, CompressionMethod.NoCompression],
    ['Windows 4', MagickFormat.Bmp, 0, CompressionMethod.NoCompression],
  ] as const

  test.each(kinds)('%s', async (_title, format, colours, compression) => {
    for (const width of [61, 62, 63, 64]) {
      const source = await photo(width, 40).png().toBuffer()
      const file = ImageMagick.read(source, (image) => {
        if (colours > 0) {
          const settings = new QuantizeSettings()
          settings.colors = colours
          image.quantize(settings)
          image.colorType = ColorType.Palette
        }
        image.settings.compression = compression
        return image.write(format, (bytes) => Buffer.from(bytes))
      })
      const bitmap = await read(file)
      expect([bitmap.width, bitmap.height, bitmap.channels]).toEqual([width, 40, 3])
      expect((await rgba(bitmap)).equals(Buffer.from(readPicture(file).data))).toBe(true)
    }
  })
})

describe('files we write', () => {
  test.each([3, 4] as const)('%i channels come back exactly, with another reader too', async (channels) => {
    for (const width of [29, 30, 31, 32]) {
      const data = photoSamples(width, 20, channels)
      const file = writeBmp({ data, width, height: 20, channels }, 300)
      const seen = readPicture(file)
      expect(Buffer.from(seen.data).equals(await rgba({ data, width, height: 20, channels }))).toBe(true)
      expect((await read(file)).data.equals(data)).toBe(true)
      expect([file.readUInt32LE(38), file.readUInt32LE(42)]).toEqual([11_811, 11_811])
    }
  })

  test('grey takes a byte a pixel; grey with alpha keeps both', async () => {
    const grey = Buffer.from([0, 90, 255, 17, 128, 200])
    const file = writeBmp({ data: grey, width: 3, height: 2, channels: 1 })
    expect(file.length).toBe(54 + 1024 + 8)
    expect([...readPicture(file).data].filter((_, index) => index % 4 === 1)).toEqual([...grey])
    expect(await pixelsOf(writeBmp({ data: Buffer.from([80, 255, 90, 10]), width: 2, height: 1, channels: 2 }))).toEqual([
      [80, 80, 80, 255],
      [90, 90, 90, 10],
    ])
  })
})

describe('unusual files, by their specification', () => {
  const palette = [
    [10, 20, 30],
    [40, 50, 60],
    [70, 80, 90],
    [1, 2, 3],
  ] as const
  const rows = Buffer.from([0b00_01_10_11, 0, 0, 0, 0b11_10_01_00, 0, 0, 0])

  test('two bits a pixel, from the bottom and from the top', async () => {
    const upside = await pixelsOf(bmpFile({ width: 4, height: 2, bits: 2, palette, samples: rows }))
    expect(upside.slice(0, 4)).toEqual([...palette].toReversed().map((colour) => [...colour]))
    const topDown = await pixelsOf(bmpFile({ width: 4, height: -2, bits: 2, palette, samples: rows }))
    expect(topDown.slice(0, 4)).toEqual(palette.map((colour) => [...colour]))
  })

  test.each([12, 16, 40, 64, 108, 124])('a header of %i bytes', async (headerBytes) => {
    const full = Array.from({ length: 256 }, (_, index) => palette[index & 3] ?? palette[0])
    const samples = Buffer.from([3, 2, 1, 0])
    expect(await pixelsOf(bmpFile({ width: 4, height: 1, bits: 8, palette: full, headerBytes, samples }))).toEqual(
      [...palette].toReversed().map((colour) => [...colour]),
    )
  })

  test('masks of any width scale to the whole range; alpha only where the header has a mask for it', async () => {
    const word = (value: number): Buffer => Buffer.from([value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24])
    const file = (masks: readonly number[], value: number, more = {}): Buffer =>
      bmpFile({ width: 1, height: 1, bits: 32, compression: 3, masks, samples: word(value), ...more })
    expect(await pixelsOf(file([0xffe00000, 0x1ffc00, 0x3ff], 0xffffffff))).toEqual([[255, 255, 255]])
    expect(await pixelsOf(file([0xfe000000, 0x1ffff80, 0x7f], 0x80_00_00_40 | 0))).toEqual([[129, 0, 129]])
    const alpha = { headerBytes: 56 }
    expect(await pixelsOf(file([0xff, 0xff00, 0xff0000, 0xf0000000], 0x8a_30_20_10, alpha))).toEqual([[16, 32, 48, 136]])
    expect(await pixelsOf(file([0xff, 0xff00, 0xff0000, 0xff000000], 0x00_30_20_10, alpha))).toEqual([[16, 32, 48]])
    expect(await pixelsOf(file([0xff, 0xff00, 0xff0000], 0x8a_30_20_10))).toEqual([[16, 32, 48]])
    expect(await pixelsOf(bmpFile({ width: 1, height: 1, bits: 32, samples: word(0x8a_10_20_30) }))).toEqual([[16, 32, 48]])
    expect(await codeOf(file([0xff00ff, 0xff00, 0xff000000], 0))).toBe('file.unreadable')
  })

  test('what deltas and early ends leave out is clear', async () => {
    // Two pixels, a line, a jump by (1, 1) over a line, one pixel, the end.
    const samples = Buffer.from([2, 1, 0, 0, 0, 2, 1, 1, 1, 3, 0, 1])
    const pixels = await pixelsOf(bmpFile({ width: 3, height: 3, bits: 8, compression: 1, palette, samples }))
    const [clear, one, three] = [
      [0, 0, 0, 0],
      [40, 50, 60, 255],
      [1, 2, 3, 255],
    ]
    expect(pixels).toEqual([clear, three, clear, clear, clear, clear, one, one, clear])
  })

  test('literal runs of four bits and of OS/2 colours', async () => {
    const four = bmpFile({ width: 5, height: 1, bits: 4, compression: 2, palette, samples: Buffer.from([0, 5, 0x01, 0x23, 0x10, 0, 0, 1]) })
    expect((await pixelsOf(four)).map(([red]) => red)).toEqual([10, 40, 70, 1, 40])
    const samples = Buffer.from([2, 9, 8, 7, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 1])
    const colours = await pixelsOf(bmpFile({ width: 5, height: 1, bits: 24, compression: 4, headerBytes: 64, samples }))
    expect(colours).toEqual([
      [7, 8, 9],
      [7, 8, 9],
      [3, 2, 1],
      [6, 5, 4],
      [9, 8, 7],
    ])
  })

  test.each(['jpeg', 'png'] as const)('an embedded %s', async (format) => {
    const samples = await photo(48, 32).toFormat(format).toBuffer()
    const file = bmpFile({ width: 48, height: 32, bits: 0, compression: format === 'jpeg' ? 4 : 5, samples })
    expect((await read(file)).data.equals(await sharp(samples).raw().toBuffer())).toBe(true)
  })
})

describe('broken files', () => {
  const base = { width: 8, height: 8, bits: 24, samples: Buffer.alloc(192, 7) }
  const short = [[1, 2, 3]] as const
  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'file.unreadable'],
    ['no bits', bmpFile({ ...base, bits: 0 }), 'file.unreadable'],
    ['30 bits', bmpFile({ ...base, bits: 30 }), 'file.unreadable'],
    ['two planes', bmpFile({ ...base, planes: 2 }), 'file.unreadable'],
    ['a negative width', bmpFile({ ...base, width: -8 }), 'file.unreadable'],
    ['no height', bmpFile({ ...base, height: 0 }), 'file.unreadable'],
    ['a header of 66 bytes', bmpFile({ ...base, headerBytes: 66 }), 'file.unreadable'],
    ['fewer rows than it says', bmpFile({ ...base, height: 9 }), 'file.unreadable'],
    ['a palette longer than the file', bmpFile({ ...base, bits: 8, palette: short, coloursUsed: 305_402_420 }), 'file.unreadable'],
    ['an index outside the palette', bmpFile({ ...base, bits: 8, palette: short }), 'file.unreadable'],
    ['runs from the top', bmpFile({ ...base, height: -8, bits: 8, compression: 1, palette: short }), 'file.unreadable'],
    [
      'a run past the edge',
      bmpFile({ ...base, bits: 8, compression: 1, palette: short, samples: Buffer.from([9, 0, 0, 1]) }),
      'file.unreadable',
    ],
    [
      'runs that give nothing',
      bmpFile({ ...base, bits: 8, compression: 1, palette: short, samples: Buffer.from([0, 1]) }),
      'file.unreadable',
    ],
    [
      'runs without an end',
      bmpFile({ ...base, bits: 8, compression: 1, palette: short, samples: Buffer.from([8, 0, 0, 0]) }),
      'file.unreadable',
    ],
    ['Huffman coding', bmpFile({ ...base, bits: 1, compression: 3, headerBytes: 64, palette: short }), 'file.unusual-encoding'],
    ['sides of 60 000', bmpFile({ ...base, width: 60_000, height: 60_000 }), 'image.too-many-pixels'],
    ['an embedded text', bmpFile({ ...base, bits: 0, compression: 5, samples: Buffer.from('<svg/>') }), 'file.unreadable'],
  ])('%s', async (_title, file, code) => expect(await codeOf(file)).toBe(code))

  test('cut anywhere or changed anywhere, a file is read or refused', async () => {
    const random = randomFrom(5)
    const data = photoSamples(19, 11, 4)
    const runs = Buffer.concat([...Array.from({ length: 11 }, () => Buffer.from([16, 1, 3, 2, 0, 0])), Buffer.from([0, 1])])
    const palette = Array.from({ length: 4 }, (_, index) => [index, index, index] as const)
    const files = [
      writeBmp({ data, width: 19, height: 11, channels: 4 }),
      writeBmp({ data: data.subarray(0, 19 * 11), width: 19, height: 11, channels: 1 }),
      bmpFile({ width: 19, height: 11, bits: 8, compression: 1, palette, samples: runs }),
    ]
    for (const file of files) {
      for (let length = 0; length < file.length - 4; length += 7) expect(await codeOf(file.subarray(0, length))).toBe('file.unreadable')
      for (let round = 0; round < 400; round++) {
        const changed = Buffer.from(file)
        for (let n = 0; n < 3; n++) changed[Math.floor(random() * Math.min(140, file.length))] = Math.floor(random() * 256)
        expect(['read', 'file.unreadable', 'file.unusual-encoding', 'image.too-many-pixels']).toContain(await codeOf(changed))
      }
    }
  })
})

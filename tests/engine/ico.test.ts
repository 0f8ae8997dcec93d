import { createRequire } from 'node:module'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { bmpFile, corpusFiles } from '../fixtures/bitmaps.ts'
import { photo, photoSamples, randomFrom } from '../fixtures/pictures.ts'
import { readIco } from '#engine/codecs/ico/read-ico'
import { writeIco } from '#engine/codecs/ico/write-ico'
import type { Bitmap } from '#engine/codecs/bmp/samples'
import { localLimits } from '#engine/limits'
import { AppError } from '#shared/errors/app-error'

/** What decode-ico makes of an entry: RGBA samples, or a PNG file. */
interface Decoded {
  readonly width: number
  readonly height: number
  readonly bpp: number
  readonly type: 'bmp' | 'png'
  readonly data: Uint8Array
  readonly hotspot: { readonly x: number; readonly y: number } | null
}
// The package has no types; this is its one function, as its read-me gives it.
const decodeIco = createRequire(import.meta.url)('decode-ico') as (file: Buffer) => readonly Decoded[]

const samplesOf = async ({ type, data }: Decoded): Promise<Buffer> =>
  type === 'png' ? sharp(Buffer.from(data)).ensureAlpha().raw().toBuffer() : Buffer.from(data)
const rgba = ({ data, width, height, channels }: Bitmap): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels } }).ensureAlpha().raw().toBuffer()
const codeOf = async (file: Buffer): Promise<string> => {
  try {
    await readIco(file, localLimits)
    return 'read'
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.code
    throw thrown
  }
}

/** An icon of entries as they stand. */
function icon(pictures: readonly Buffer[], { type = 1, sides = [] }: { type?: number; sides?: readonly number[] } = {}): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(type, 2)
  head.writeUInt16LE(pictures.length, 4)
  let start = head.length
  for (const [index, picture] of pictures.entries()) {
    const at = 6 + 16 * index
    head[at] = head[at + 1] = sides[index] ?? 0
    head.writeUInt32LE(picture.length, at + 8)
    head.writeUInt32LE(start, at + 12)
    start += picture.length
  }
  return Buffer.concat([head, ...pictures])
}

/** An icon's bitmap: the file without its file header, its height doubled, its mask behind. */
function dib(width: number, height: number, bits: number, samples: Buffer, mask: Buffer): Buffer {
  const palette = bits <= 8 ? Array.from({ length: 1 << bits }, (_, n) => [n * 9, n * 5, 200 - n] as const) : []
  const bitmap = bmpFile({ width, height: height * 2, bits, palette, samples: Buffer.concat([samples, mask]) }).subarray(14)
  return Buffer.from(bitmap)
}

const source = { data: photoSamples(300, 200, 4), width: 300, height: 200, channels: 4 } as const
const sizes = [16, 24, 32, 48, 64, 128, 256]

describe('icons we write', () => {
  test('hold every size, small ones as BMP and large ones as PNG, as another reader sees them', async () => {
    const entries = decodeIco(await writeIco(source, sizes))
    expect(entries.map(({ width, height, bpp, type }) => [width, height, bpp, type])).toEqual(
      sizes.map((size) => [size, size, 32, size > 128 ? 'png' : 'bmp']),
    )
    const square = sharp(source.data, { raw: { width: 300, height: 200, channels: 4 } })
    for (const entry of entries) {
      const clear = { r: 0, g: 0, b: 0, alpha: 0 }
      const wanted = await square.clone().resize(entry.width, entry.width, { fit: 'contain', background: clear }).raw().toBuffer()
      expect((await samplesOf(entry)).equals(wanted)).toBe(true)
    }
  })

  test('are not stretched: a wide picture leaves clear bands above and below', async () => {
    const [entry] = decodeIco(await writeIco({ ...source, data: Buffer.alloc(source.data.length, 255) }, [48]))
    const alphas = Array.from({ length: 48 }, (_, y) => entry?.data[(y * 48 + 24) * 4 + 3])
    expect([alphas[3], alphas[24], alphas[44]]).toEqual([0, 255, 0])
  })

  test('come back with our own reader at their largest', async () => {
    const bitmap = await readIco(await writeIco(source, [16, 256, 32]), localLimits)
    expect([bitmap.width, bitmap.height, bitmap.channels]).toEqual([256, 256, 4])
  })

  test.each([1, 2, 3] as const)('take a picture of %i channels, larger than itself too', async (channels) => {
    const data = Buffer.alloc(10 * 10 * channels, 255)
    const entries = decodeIco(await writeIco({ data, width: 10, height: 10, channels }, [16, 256]))
    for (const entry of entries) expect([...(await samplesOf(entry)).subarray(0, 4)]).toEqual([255, 255, 255, 255])
  })

  test('say in the mask which pixels are clear', async () => {
    const data = Buffer.alloc(16 * 16 * 4, 255)
    data[3] = 0
    const file = await writeIco({ data, width: 16, height: 16, channels: 4 }, [16])
    const mask = file.subarray(-16 * 4)
    expect([...mask.subarray(0, 60)].every((byte) => byte === 0)).toBe(true)
    expect(mask[60]).toBe(0x80)
  })

  test('become cursors with a hotspot in every size', async () => {
    const entries = decodeIco(await writeIco(source, [32, 64], { xPx: 299, yPx: 0 }))
    expect(entries.map(({ hotspot }) => hotspot)).toEqual([
      { x: 31, y: 5 },
      { x: 63, y: 10 },
    ])
  })
})

describe('icons of others', () => {
  const solid = (sides: number, alpha: number): Buffer => {
    const samples = Buffer.alloc(sides * sides * 4, 90)
    for (let at = 3; at < samples.length; at += 4) samples[at] = alpha
    return samples
  }
  const half = Buffer.from(Array.from({ length: 8 }, () => [0xf0, 0, 0, 0]).flat())

  test('the largest entry is taken, of equal ones the deepest, whatever the directory says', async () => {
    const small = dib(8, 8, 32, solid(8, 255), half)
    const large = await photo(20, 20).png().toBuffer()
    expect((await readIco(icon([large, small], { sides: [1, 200] }), localLimits)).width).toBe(20)
    const flat = dib(8, 8, 4, Buffer.alloc(32), Buffer.alloc(32))
    expect((await readIco(icon([flat, small, flat]), localLimits)).data[0]).toBe(90)
  })

  test('alpha overrules the mask; without any, the mask counts', async () => {
    const withAlpha = await readIco(icon([dib(8, 8, 32, solid(8, 128), half)]), localLimits)
    expect(new Set(withAlpha.data.filter((_, at) => at % 4 === 3))).toEqual(new Set([128]))
    const without = await readIco(icon([dib(8, 8, 32, solid(8, 0), half)]), localLimits)
    expect([without.data[3], without.data[4 * 7 + 3]]).toEqual([0, 255])
  })

  test.each([1, 4, 8, 24])('%i bits and a mask look as decode-ico shows them', async (bits) => {
    const random = randomFrom(bits)
    const samples = Buffer.from(Array.from({ length: ((8 * bits + 31) >>> 5) * 4 * 8 }, () => Math.floor(random() * 256)))
    const file = icon([dib(8, 8, bits, samples, half)])
    const [entry] = decodeIco(file)
    const bitmap = await rgba(await readIco(file, localLimits))
    expect(bitmap.equals(Buffer.from(entry?.data ?? []))).toBe(true)
  })

  test('rows the mask lacks are not clear', async () => {
    const bitmap = await readIco(icon([dib(8, 8, 24, Buffer.alloc(192, 9), half.subarray(0, 16))]), localLimits)
    expect([bitmap.data[3], bitmap.data[4 * 63 + 3], bitmap.data[4 * 56 + 3]]).toEqual([255, 255, 0])
  })

  test('a cursor is read as an icon is', async () => {
    expect((await readIco(icon([dib(8, 8, 32, solid(8, 255), half)], { type: 2 }), localLimits)).width).toBe(8)
  })

  test('those beside the project look as decode-ico shows them', async () => {
    for (const [name, file] of corpusFiles('ico')) {
      const [best] = decodeIco(file).toSorted((left, right) => right.width - left.width || right.bpp - left.bpp)
      if (best === undefined) throw new Error(name)
      expect({ name, same: (await rgba(await readIco(file, localLimits))).equals(await samplesOf(best)) }).toEqual({ name, same: true })
    }
  })
})

describe('broken icons', () => {
  const good = icon([dib(8, 8, 24, Buffer.alloc(192, 9), Buffer.alloc(32))])
  const patched = (at: number, value: number): Buffer => {
    const copy = Buffer.from(good)
    copy.writeUInt32LE(value, at)
    return copy
  }
  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'file.unreadable'],
    ['no entries', Buffer.from([0, 0, 1, 0, 0, 0, ...Array.from({ length: 40 }, () => 0)]), 'file.unreadable'],
    ['another type', patched(0, 0x3_0000), 'file.unreadable'],
    ['more entries than bytes', patched(4, 0x0101_ffff), 'file.unreadable'],
    ['an entry longer than the file', patched(14, 1e6), 'file.unreadable'],
    ['an entry behind the file', patched(18, 1e6), 'file.unreadable'],
    ['an entry that overlaps itself', patched(18, 4), 'file.unreadable'],
    ['a picture of 60 000', patched(26, 60_000), 'file.unreadable'],
    ['a picture of 300 000', patched(26, 300_000), 'image.too-many-pixels'],
    ['runs', patched(38, 1), 'file.unreadable'],
  ])('%s', async (_title, file, code) => expect(await codeOf(file)).toBe(code))

  test('cut anywhere or changed anywhere, an icon is read or refused', async () => {
    const random = randomFrom(3)
    const files = [good, await writeIco(source, [16, 32]), await writeIco(source, [144])]
    for (const file of files) {
      // The mask may be missing, nothing else; here the directory says how long the entry is.
      for (let length = 0; length < file.length; length += 11) expect(await codeOf(file.subarray(0, length))).toBe('file.unreadable')
      for (let round = 0; round < 300; round++) {
        const changed = Buffer.from(file)
        for (let n = 0; n < 3; n++) changed[Math.floor(random() * Math.min(120, file.length))] = Math.floor(random() * 256)
        expect(['read', 'file.unreadable', 'file.unusual-encoding', 'image.too-many-pixels']).toContain(await codeOf(changed))
      }
    }
  })
})

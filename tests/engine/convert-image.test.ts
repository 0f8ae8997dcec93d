import jpegJs from 'jpeg-js'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { bytesOf, openConversions } from '../fixtures/conversions.ts'
import { animatedWebp, orientedJpeg, photo } from '../fixtures/pictures.ts'
import { colourAt, readPicture } from '../fixtures/oracle.ts'
import { findPage, startOptions } from '#shared/tools/index'

const { convert, converted, close } = await openConversions()
afterAll(close)

/** A page's options, as a person who opens it and changes nothing has them. */
const onPage = (path: string): object => {
  const found = findPage(path)
  if (!found) throw new Error(`no page ${path}`)
  return startOptions(found)
}

describe('transparency', () => {
  test('goes onto the chosen colour where the format has none', async () => {
    const png = await photo(120, 90, 4).png().toBuffer()
    const seen = readPicture(await converted(png, 'a.png', { format: 'jpeg', background: '#ff0000' }))
    expect(colourAt(seen, 0, 40)[0]).toBeGreaterThan(245)
    expect(colourAt(seen, 0, 40)[2]).toBeLessThan(12)
    expect(colourAt(readPicture(await converted(png, 'a.png', { format: 'bmp', background: '#ff0000' })), 0, 40)[3]).toBe(0)
  })

  test.each(['webp', 'avif', 'heic', 'tiff', 'jxl', 'jp2', 'tga', 'apng'] as const)('stays in %s', async (format) => {
    const png = await photo(120, 90, 4).png().toBuffer()
    const seen = readPicture(await converted(png, 'a.png', { format }), format)
    expect(colourAt(seen, 2, 40)[3]).toBeLessThan(24)
    expect(colourAt(seen, 117, 40)[3]).toBeGreaterThan(232)
  })
})

describe('a photo held any way', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('lies upright from orientation %i on', async (orientation) => {
    for (const format of ['png', 'bmp', 'webp'] as const) {
      const seen = readPicture(await converted(await orientedJpeg(orientation), 'a.jpg', { format, keepMetadata: true }))
      expect([seen.width, seen.height, seen.orientation <= 1]).toEqual([90, 60, true])
      expect(colourAt(seen, 10, 10)[0]).toBeGreaterThan(200)
      expect(colourAt(seen, 80, 50)[2]).toBeGreaterThan(200)
    }
  })
})

describe('movement', () => {
  test.each(['gif', 'apng'] as const)('goes from WebP to %s and back with its delays', async (format) => {
    const source = await animatedWebp(64, 48, 5)
    const middle = await converted(source, 'a.webp', { format })
    const back = await converted(middle, `a.${format}`, { format: 'webp' })
    const { pages, delay, loop, height } = await sharp(back).metadata()
    expect({ pages, delay, loop, height }).toEqual({ pages: 5, delay: [40, 50, 60, 70, 80], loop: 3, height: 48 })
  })

  test('becomes numbered files in a still format, or its first picture', async () => {
    const source = await animatedWebp(64, 48, 11)
    const all = await convert(source, '动图.webp', { format: 'png' })
    expect(all.map(({ name }) => name)).toEqual(Array.from({ length: 11 }, (_, i) => `动图-${String(i + 1).padStart(2, '0')}.png`))
    const third = readPicture(await bytesOf(all[2]))
    expect(colourAt(third, 8, 10)[0], 'the red square has walked').toBeGreaterThan(200)
    expect(await convert(source, '动图.webp', { format: 'png', pages: 'first' })).toMatchObject([
      { name: '动图.png', width: 64, height: 48 },
    ])
  })
})

/** A TIFF of two grey pages of different sides: one directory after the other (TIFF 6.0). */
function twoPages(sides: readonly (readonly [number, number, number])[]): Buffer {
  const pages: Buffer[] = []
  let at = 8
  sides.forEach(([width, height, value], index) => {
    const entries = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, 0],
      [277, 1],
      [278, height],
      [279, width * height],
    ] as const
    const directory = Buffer.alloc(2 + entries.length * 12 + 4)
    const data = Buffer.alloc(width * height + ((width * height) % 2), value)
    directory.writeUInt16LE(entries.length)
    entries.forEach(([tag, number], i) => {
      directory.writeUInt16LE(tag, 2 + i * 12)
      directory.writeUInt16LE(4, 4 + i * 12)
      directory.writeUInt32LE(1, 6 + i * 12)
      directory.writeUInt32LE(tag === 273 ? at + directory.length : number, 10 + i * 12)
    })
    at += directory.length + data.length
    directory.writeUInt32LE(index === sides.length - 1 ? 0 : at, directory.length - 4)
    pages.push(directory, data)
  })
  return Buffer.concat([Buffer.from('49492a0008000000', 'hex'), ...pages])
}

describe('pages', () => {
  const source = twoPages([
    [40, 30, 200],
    [24, 50, 60],
  ])

  test('of a TIFF become one JPG each', async () => {
    const outputs = await convert(source, 'scan.tif', onPage('/convert/tifftojpg'))
    expect(outputs.map(({ name, width, height }) => [name, width, height])).toEqual([
      ['scan-1.jpg', 40, 30],
      ['scan-2.jpg', 24, 50],
    ])
    expect(colourAt(readPicture(await bytesOf(outputs[1])), 5, 5)[0]).toBe(60)
  })

  test('of a TIFF go into one PDF, each as large as it is', async () => {
    const pdf = await converted(source, 'scan.tif', { format: 'pdf' })
    const text = pdf.toString('latin1')
    expect(text.match(/\/Type\/Page\//g)).toHaveLength(2)
    const start = Number(/startxref\n(\d+)/.exec(text)?.[1])
    expect(text.slice(start, start + 4)).toBe('xref')
    const offsets = [...text.slice(start).matchAll(/(\d{10}) 00000 n/g)].map(([, offset]) => Number(offset))
    offsets.forEach((offset, index) => expect(text.slice(offset).startsWith(`${index + 1} 0 obj`)).toBe(true))
    const streams = [...text.matchAll(/\/Filter\/DCTDecode\/Length (\d+)>>\nstream\n/g)]
    const pictures = streams.map((match) =>
      jpegJs.decode(pdf.subarray(match.index + match[0].length, match.index + match[0].length + Number(match[1]))),
    )
    expect(pictures.map(({ width, height, data }) => [width, height, data[0]])).toEqual([
      [40, 30, 200],
      [24, 50, 60],
    ])
  })
})

describe('a file that is what is asked for', () => {
  test('comes back byte for byte', async () => {
    const source = await photo(64, 48).jpeg({ quality: 70 }).toBuffer()
    const outputs = await convert(source, 'a.jpeg', onPage('/convert/imgtojpg'))
    expect(outputs).toMatchObject([{ name: 'a.jpeg', note: { kind: 'unchanged' } }])
    expect((await bytesOf(outputs[0])).equals(source)).toBe(true)
  })

  test('is written anew for another quality, or to lose what must go', async () => {
    const plain = await photo(64, 48).jpeg({ quality: 95 }).toBuffer()
    expect((await converted(plain, 'a.jpg', { format: 'jpeg', quality: 40 })).length).toBeLessThan(plain.length / 2)
    const told = await photo(64, 48)
      .withExif({ IFD0: { Make: 'Kamera' } })
      .jpeg()
      .toBuffer()
    expect((await converted(told, 'a.jpg', { format: 'jpeg' })).includes('Kamera')).toBe(false)
  })

  test('that is broken is not passed on', async () => {
    const source = await photo(640, 480).jpeg().toBuffer()
    await expect(convert(source.subarray(0, source.length >> 1), 'a.jpg', { format: 'jpeg' })).rejects.toMatchObject({
      code: 'file.unreadable',
    })
  })

  test('becomes a JPG on the pages of AVIF and HEIC', async () => {
    const avif = await photo(64, 48).avif({ effort: 0 }).toBuffer()
    expect(await convert(avif, 'a.avif', onPage('/convert/avif'))).toMatchObject([{ name: 'a.jpg', format: 'jpeg' }])
    const heic = await converted(await photo(64, 48).png().toBuffer(), 'a.png', onPage('/convert/heic'))
    expect(await convert(heic, 'a.heic', onPage('/convert/heic'))).toMatchObject([{ name: 'a.jpg', format: 'jpeg' }])
  })
})

describe('limits', () => {
  test('hold before a long-tail file is decoded', async () => {
    const pcx = Buffer.alloc(128)
    pcx.set([10, 5, 1, 8, 0, 0, 0, 0, 0xff, 0xea, 0xff, 0xea])
    pcx[65] = 3
    pcx.writeUInt16LE(60_000, 66)
    await expect(convert(pcx, 'a.pcx', { format: 'png' })).rejects.toMatchObject({ code: 'image.too-many-pixels' })
  })

  test('of an encoder are told beforehand', async () => {
    const large = await sharp({ create: { width: 5000, height: 4000, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer()
    await expect(convert(large, 'a.jpg', { format: 'heic' })).rejects.toMatchObject({ code: 'format.pixel-limit' })
    const wide = await sharp({ create: { width: 17_000, height: 10, channels: 3, background: '#888' } })
      .png()
      .toBuffer()
    await expect(convert(wide, 'a.png', { format: 'webp' })).rejects.toMatchObject({ code: 'format.side-limit' })
  })
})

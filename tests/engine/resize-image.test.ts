import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { translate } from '#engine/failures'
import { colourAt, readPicture, type Seen } from '../fixtures/oracle.ts'
import { animatedWebp, orientedJpeg, photo } from '../fixtures/pictures.ts'
import { runAndRead, sidesOf } from '../fixtures/run-and-read.ts'

const resize = (bytes: Buffer, options: object, name?: string) => runAndRead('resize-image', bytes, options, name)

const sources = {
  jpeg: await photo(400, 300).jpeg({ quality: 90 }).toBuffer(),
  png: await photo(400, 300).png().toBuffer(),
  webp: await photo(400, 300).webp({ quality: 90 }).toBuffer(),
  avif: await photo(400, 300).avif({ quality: 80, effort: 0 }).toBuffer(),
  gif: await photo(400, 300).gif().toBuffer(),
  tiff: await photo(400, 300).tiff().toBuffer(),
} as const

describe.each(Object.entries(sources))('%s', (format, source) => {
  test('keeps its format and shows the same, smaller', async () => {
    const { output, seen } = await resize(source, { percent: 50 })
    expect([output.format, ...sidesOf(output), ...sidesOf(seen)]).toEqual([format, 200, 150, 200, 150])
    const before = readPicture(source)
    const [x, y] = [50, 60]
    const patch = [0, 1].flatMap((down) => [0, 1].map((across) => colourAt(before, x * 2 + across, y * 2 + down)))
    for (const channel of [0, 1, 2]) {
      const mean = patch.reduce((sum, colour) => sum + (colour[channel] ?? 0), 0) / 4
      expect(Math.abs((colourAt(seen, x, y)[channel] ?? 0) - mean)).toBeLessThan(20)
    }
  })

  test('comes back byte for byte where nothing is to be done', async () => {
    for (const options of [{ percent: 100 }, { width: 400 }, { longEdge: 4000 }, { width: 800, height: 600, fit: 'cover' }]) {
      const { output, bytes } = await resize(source, options)
      expect(output.note).toEqual({ kind: 'unchanged' })
      expect(bytes.equals(source)).toBe(true)
    }
  })
})

describe('a 400×300 picture', () => {
  test.each<[object, readonly number[]]>([
    [{ width: 200 }, [200, 150]],
    [{ height: 30 }, [40, 30]],
    [{ width: 100, height: 100 }, [100, 75]],
    [{ width: 100, height: 100, fit: 'cover' }, [100, 100]],
    [{ width: 100, height: 100, fit: 'pad' }, [100, 100]],
    [{ width: 100, height: 100, fit: 'stretch' }, [100, 100]],
    [{ width: 100, height: 100, keepRatio: false }, [100, 100]],
    [{ width: 100, keepRatio: false }, [100, 300]],
    [{ width: 800, height: 100, keepRatio: false }, [400, 100]],
    [{ width: 800, height: 100, keepRatio: false, enlarge: true }, [800, 100]],
    [{ width: 800, enlarge: true }, [800, 600]],
    [{ width: 600, height: 600, fit: 'cover' }, [300, 300]],
    [{ width: 600, height: 600, fit: 'pad' }, [600, 600]],
    [{ percent: 33 }, [132, 99]],
    [{ percent: 150 }, [600, 450]],
    [{ percent: 1 }, [4, 3]],
    [{ longEdge: 100 }, [100, 75]],
    [{ longEdge: 1 }, [1, 1]],
  ])('%j becomes %j', async (options, sides) => {
    const { output, seen } = await resize(sources.png, options)
    expect([sidesOf(output), sidesOf(seen)]).toEqual([sides, sides])
  })
})

test('cover takes the middle, pad lays the unenlarged picture on a ground, stretch keeps all', async () => {
  const thirds = sharp({ create: { width: 300, height: 100, channels: 3, background: '#00ff00' } }).composite([
    { input: { create: { width: 100, height: 100, channels: 3, background: '#ff0000' } }, left: 0, top: 0 },
    { input: { create: { width: 100, height: 100, channels: 3, background: '#0000ff' } }, left: 200, top: 0 },
  ])
  const source = await thirds.png().toBuffer()
  const covered = await resize(source, { width: 60, height: 60, fit: 'cover' })
  for (const x of [1, 30, 58]) expect(colourAt(covered.seen, x, 30)).toEqual([0, 255, 0, 255])
  const stretched = await resize(source, { width: 60, height: 60, fit: 'stretch' })
  expect([5, 30, 55].map((x) => colourAt(stretched.seen, x, 30))).toEqual([
    [255, 0, 0, 255],
    [0, 255, 0, 255],
    [0, 0, 255, 255],
  ])
  const padded = await resize(source, { width: 400, height: 300, fit: 'pad', background: '#12ab9f' })
  expect(colourAt(padded.seen, 200, 99)).toEqual([0x12, 0xab, 0x9f, 255])
  expect(colourAt(padded.seen, 49, 150)).toEqual([0x12, 0xab, 0x9f, 255])
  expect(colourAt(padded.seen, 50, 100)).toEqual([255, 0, 0, 255])
})

test('a clear ground turns a JPEG into a PNG, which can hold it', async () => {
  const { output, seen } = await resize(sources.jpeg, { width: 100, height: 100, fit: 'pad', background: 'transparent' }, 'a.jpg')
  expect([output.format, output.name]).toEqual(['png', 'a.png'])
  expect(colourAt(seen, 50, 2)[3]).toBe(0)
  expect(colourAt(seen, 50, 50)[3]).toBe(255)
})

/** The mean light of a picture, 0..1, by sRGB's own curve. */
const lightOf = ({ data }: Seen): number => {
  let total = 0
  for (let at = 0; at < data.length; at += 4) {
    const share = (data[at + 1] ?? 0) / 255
    total += share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return (total * 4) / data.length
}

describe('light is kept when fine parts shrink', () => {
  const drawings = {
    lines: (x: number, y: number) => (x % 16 === 0 || y % 16 === 0 ? 255 : 0),
    points: (x: number, y: number) => (x % 7 === 0 && y % 7 === 0 ? 255 : 0),
    checkerboard: (x: number, y: number) => ((x + y) % 2 === 0 ? 255 : 0),
  }
  const draw = (width: number, height: number, level: (x: number, y: number) => number) => {
    const data = Buffer.alloc(width * height)
    for (let at = 0; at < data.length; at++) data[at] = level(at % width, Math.floor(at / width))
    return sharp(data, { raw: { width, height, channels: 1 } }).toColourspace('srgb')
  }

  test.each(Object.entries(drawings))('%s, as PNG and as a large JPEG', async (_name, level) => {
    const png = await draw(560, 560, level).png().toBuffer()
    const jpeg = await draw(2240, 1120, level).jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer()
    for (const source of [png, jpeg]) {
      const { seen } = await resize(source, { percent: 20, quality: 98 })
      const ratio = lightOf(seen) / lightOf(readPicture(source))
      // Lanczos undershoots beside lines, and nothing is darker than black: a little light is gained. Averaged as stored, 0.3 would be left.
      expect(ratio).toBeGreaterThan(0.95)
      expect(ratio).toBeLessThan(1.1)
    }
  })

  test('flat colours stay exactly as they are', async () => {
    for (const level of [1, 20, 77, 128, 254]) {
      const { seen } = await resize(
        await draw(64, 64, () => level)
          .png()
          .toBuffer(),
        { percent: 30 },
      )
      expect(new Set(seen.data)).toEqual(new Set([level, 255]))
    }
  })
})

test('what is transparent lends no colour to what is seen', async () => {
  const data = Buffer.alloc(64 * 64 * 4)
  for (let at = 0; at < data.length; at += 4) data.set((at / 4) % 2 === 0 ? [255, 0, 0, 255] : [0, 0, 255, 0], at)
  const { seen } = await resize(
    await sharp(data, { raw: { width: 64, height: 64, channels: 4 } })
      .png()
      .toBuffer(),
    { percent: 25 },
  )
  const [red, green, blue, alpha] = colourAt(seen, 8, 8)
  expect([red, green, blue]).toEqual([255, 0, 0])
  expect(Math.abs((alpha ?? 0) - 128)).toBeLessThanOrEqual(2)
})

test('an animation keeps its frames, their times and its loop, and no frame runs into the next', async () => {
  const webp = await animatedWebp(120, 80, 4)
  const gif = await sharp(webp, { animated: true })
    .gif({ delay: [40, 50, 60, 70], loop: 2 })
    .toBuffer()
  for (const [source, loop] of [
    [webp, 3],
    [gif, 2],
  ] as const) {
    for (const options of [{ percent: 50 }, { width: 30, height: 60, fit: 'cover' }, { width: 70, height: 90, fit: 'pad' }]) {
      const { bytes, output } = await resize(source, options)
      const { pages, delay, pageHeight, loop: played, width } = await sharp(bytes, { animated: true }).metadata()
      expect({ pages, delay, played }).toEqual({ pages: 4, delay: [40, 50, 60, 70], played: loop })
      expect([width, pageHeight]).toEqual(sidesOf(output))
    }
  }
  const colours = await Promise.all(
    ['#ff0000', '#0000ff', '#ff0000'].map((background) =>
      sharp({ create: { width: 40, height: 40, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const flat = await sharp(colours, { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer()
  const { bytes } = await resize(flat, { percent: 50 })
  const { data } = await sharp(bytes, { animated: true }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const used = new Set(Array.from({ length: data.length / 3 }, (_, n) => data.subarray(n * 3, n * 3 + 3).toString('hex')))
  expect(used).toEqual(new Set(['ff0000', '0000ff']))
})

test('an animated PNG is refused with its reason, unless nothing is to be done', async () => {
  const png = await photo(40, 30).png().toBuffer()
  // An acTL chunk before the samples makes it an APNG: length 8, two frames, no end.
  const actl = Buffer.from('000000086163544c00000002000000001f6f2a3a', 'hex')
  const apng = Buffer.concat([png.subarray(0, 33), actl, png.subarray(33)])
  await expect(resize(apng, { percent: 50 })).rejects.toMatchObject({ code: 'file.animated' })
})

test('every orientation ends upright, whole or cropped, small or scaled while decoding', async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const source = await orientedJpeg(orientation)
    const { seen } = await resize(source, { width: 45 })
    expect([...sidesOf(seen), seen.orientation <= 1]).toEqual([45, 30, true])
    expect((colourAt(seen, 5, 5)[0] ?? 0) > 200 && (colourAt(seen, 40, 25)[2] ?? 0) > 200).toBe(true)
    const large = await sharp(source)
      .resize(orientation > 4 ? 1200 : 1800, orientation > 4 ? 1800 : 1200)
      .keepMetadata()
      .jpeg()
      .toBuffer()
    const cropped = await resize(large, { width: 100, height: 200, fit: 'cover' })
    expect(sidesOf(cropped.seen)).toEqual([100, 200])
    // The middle third of the width: its upper left quarter is red up to the picture's centre.
    expect((colourAt(cropped.seen, 25, 50)[0] ?? 0) > 200 && (colourAt(cropped.seen, 75, 150)[2] ?? 0) > 200).toBe(true)
  }
})

test('metadata goes, and a wide-gamut picture becomes the sRGB it looks like', async () => {
  const p3 = await sharp({ create: { width: 80, height: 80, channels: 3, background: { r: 200, g: 60, b: 60 } } })
    .withIccProfile('p3')
    .withExif({ IFD0: { Artist: 'someone' } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()
  const shown = await sharp(p3).raw().toBuffer()
  const { seen, bytes } = await resize(p3, { percent: 50 })
  expect(seen.profiles).toEqual([])
  expect(bytes.includes('someone')).toBe(false)
  for (const channel of [0, 1, 2]) expect(Math.abs((colourAt(seen, 20, 20)[channel] ?? 0) - (shown[channel] ?? 0))).toBeLessThanOrEqual(3)
})

test('a broken file never comes back as a good one', async () => {
  const large = await photo(2000, 1500).jpeg().toBuffer()
  for (const source of [large, ...Object.values(sources)]) {
    const cut = source.subarray(0, Math.floor(source.length * 0.6))
    for (const options of [{ percent: 50 }, { percent: 100 }]) {
      await expect(resize(cut, options).catch((error: unknown) => Promise.reject(translate(error)))).rejects.toMatchObject({
        code: 'file.unreadable',
      })
    }
  }
})

import { DistortMethod, ImageMagick, MagickFormat } from '@imagemagick/magick-wasm'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { colourAt, readPicture, type Seen } from '../fixtures/oracle.ts'
import { animatedWebp, orientedJpeg, photo } from '../fixtures/pictures.ts'
import { runAndRead, sidesOf } from '../fixtures/run-and-read.ts'

const crop = (bytes: Buffer, options: object, name?: string) => runAndRead('crop-image', bytes, options, name)

const png = await photo(121, 87).png().toBuffer()
const jpeg = await photo(121, 87).jpeg({ quality: 92 }).toBuffer()

/** Rows of a part of a picture, as the other reader sees it. */
const partOf = ({ data, width }: Seen, left: number, top: number, w: number, h: number): Uint8ClampedArray =>
  Uint8ClampedArray.from(
    Array.from({ length: h }, (_, row) => [
      ...data.subarray(((top + row) * width + left) * 4, ((top + row) * width + left + w) * 4),
    ]).flat(),
  )

/** Compared as bytes: told sample by sample, a difference of two pictures takes a minute. */
const isSame = (left: Uint8ClampedArray, right: Uint8ClampedArray): boolean => Buffer.from(left).equals(Buffer.from(right))

test('takes exactly the part asked for', async () => {
  const { seen, output } = await crop(png, { left: 13, top: 21, width: 50, height: 34 })
  expect([...sidesOf(seen), output.format, output.note]).toEqual([50, 34, 'png', undefined])
  expect(isSame(seen.data, partOf(readPicture(png), 13, 21, 50, 34))).toBe(true)
})

describe('turned and mirrored, every sample is where ImageMagick puts it', () => {
  const flips = ['none', 'horizontal', 'vertical', 'both'] as const
  test.each(['0', '90', '180', '270'].flatMap((rotate) => flips.map((flip) => [rotate, flip] as const)))('%s° %s', async (rotate, flip) => {
    const expected = ImageMagick.read(png, (image) => {
      image.rotate(Number(rotate))
      if (flip === 'horizontal' || flip === 'both') image.flop()
      if (flip === 'vertical' || flip === 'both') image.flip()
      image.resetPage()
      return image.write(MagickFormat.Png, (data) => readPicture(data))
    })
    const { seen } = await crop(png, { rotate, flip })
    expect(sidesOf(seen)).toEqual(sidesOf(expected))
    expect(isSame(seen.data, expected.data)).toBe(true)
    const part = await crop(png, { rotate, flip, left: 5, top: 7, width: 20, height: 10 })
    expect(isSame(part.seen.data, partOf(expected, 5, 7, 20, 10))).toBe(true)
  })
})

test('starts from the upright picture, whatever way the camera was held', async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const { seen } = await crop(await orientedJpeg(orientation), { left: 40, top: 25, width: 10, height: 10 })
    const [red, blue] = [colourAt(seen, 1, 1), colourAt(seen, 8, 8)]
    expect([sidesOf(seen), (red[0] ?? 0) > 200, (blue[2] ?? 0) > 200]).toEqual([[10, 10], true, true])
  }
})

describe('straightened', () => {
  test.each([-45, -12.3, -0.1, 0.1, 5, 30, 45])('by %d° it has no blank corner', async (straighten) => {
    for (const [width, height] of [
      [200, 140],
      [90, 160],
      [300, 40],
    ] as const) {
      const red = sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
      const { seen } = await crop(await red.png().toBuffer(), { straighten })
      expect(
        new Set(Array.from({ length: seen.data.length / 4 }, (_, n) => colourAt(seen, n % seen.width, Math.floor(n / seen.width)).join())),
      ).toEqual(new Set(['255,0,0,255']))
    }
  })

  test('turns clockwise about its middle', async () => {
    const mark = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer()
    const ground = sharp({ create: { width: 201, height: 101, channels: 3, background: '#000000' } })
    const source = await ground
      .composite([{ input: mark, left: 170, top: 49 }])
      .png()
      .toBuffer()
    for (const straighten of [-20, 10, 33.3]) {
      const angle = (straighten * Math.PI) / 180
      // All of the canvas, which is larger than the picture.
      const { seen } = await crop(source, { straighten, left: 0, top: 0, width: 100, height: 100, unit: 'percent' })
      const [fromX, fromY] = [172 - 201 / 2, 51 - 101 / 2]
      const x = seen.width / 2 + fromX * Math.cos(angle) - fromY * Math.sin(angle)
      const y = seen.height / 2 + fromX * Math.sin(angle) + fromY * Math.cos(angle)
      expect(colourAt(seen, Math.round(x - 0.5), Math.round(y - 0.5))[0]).toBeGreaterThan(200)
      expect(Math.abs(seen.width - (201 * Math.cos(angle) + 101 * Math.abs(Math.sin(angle))))).toBeLessThanOrEqual(0.5)
    }
  })

  test('keeps the scale and the look: close to ImageMagick turning the same picture', async () => {
    const { seen } = await crop(png, { straighten: 10 })
    const expected = ImageMagick.read(png, (image) => {
      image.distort(DistortMethod.ScaleRotateTranslate, [10])
      image.resetPage()
      return image.write(MagickFormat.Png, (data) => readPicture(data))
    })
    const [left, top] = [Math.floor((expected.width - seen.width) / 2), Math.floor((expected.height - seen.height) / 2)]
    const same = partOf(expected, left, top, seen.width, seen.height)
    const total = seen.data.reduce((sum, value, at) => sum + Math.abs(value - (same[at] ?? 0)), 0)
    expect(total / seen.data.length).toBeLessThan(10)
  })

  test('a rectangle may take in what lies beyond the corners: clear where the format can, else white', async () => {
    const options = { straighten: 20, left: 0, top: 0, width: 20, height: 10 }
    expect(colourAt((await crop(png, options)).seen, 0, 0)[3]).toBe(0)
    expect(colourAt((await crop(jpeg, options)).seen, 0, 0)).toEqual([255, 255, 255, 255])
  })
})

test('a part that reaches outside is cut back and says so; one that lies outside is refused', async () => {
  const { seen, output } = await crop(png, { left: 100, top: 80, width: 50, height: 50 })
  expect([sidesOf(seen), output.note]).toEqual([[21, 7], { kind: 'adjusted' }])
  for (const options of [{ left: 121 }, { top: 500, height: 5 }, { left: 101, unit: 'percent' }])
    await expect(crop(png, options)).rejects.toMatchObject({ code: 'crop.outside' })
})

test('one crop in percent is the same part of pictures of any size', async () => {
  const source = sharp({ create: { width: 100, height: 100, channels: 3, background: '#0000ff' } }).composite([
    { input: { create: { width: 30, height: 40, channels: 3, background: '#ff0000' } }, left: 50, top: 20 },
  ])
  const base = await source.png().toBuffer()
  for (const scale of [1, 3, 7]) {
    const scaled = await sharp(base)
      .resize(100 * scale, 100 * scale, { kernel: 'nearest' })
      .png()
      .toBuffer()
    const { seen } = await crop(scaled, { unit: 'percent', left: 50, top: 20, width: 30, height: 40 })
    expect(sidesOf(seen)).toEqual([30 * scale, 40 * scale])
    for (let at = 0; at < seen.data.length; at += 4) expect([seen.data[at], seen.data[at + 2]]).toEqual([255, 0])
  }
})

test('a ratio alone takes the largest part in the middle', async () => {
  const { seen } = await crop(png, { ratio: '1:1' })
  expect(sidesOf(seen)).toEqual([87, 87])
  expect(isSame(seen.data, partOf(readPicture(png), 17, 0, 87, 87))).toBe(true)
  expect(sidesOf((await crop(png, { ratio: '9:16' })).seen)).toEqual([49, 87])
  expect(sidesOf((await crop(png, { ratio: 'original', rotate: '90' })).seen)).toEqual([87, 121])
})

test('a circle is a PNG that is clear around it', async () => {
  const { seen, output } = await crop(jpeg, { circle: true }, '头像.jpg')
  expect([output.format, output.name, ...sidesOf(seen)]).toEqual(['png', '头像.png', 87, 87])
  for (const [x, y] of [
    [0, 0],
    [86, 0],
    [0, 86],
    [86, 86],
  ] as const)
    expect(colourAt(seen, x, y)[3]).toBe(0)
  expect(colourAt(seen, 43, 43)[3]).toBe(255)
  let covered = 0
  for (let at = 3; at < seen.data.length; at += 4) covered += (seen.data[at] ?? 0) / 255
  expect(covered / (Math.PI * 43.5 ** 2)).toBeCloseTo(1, 2)
})

test('an animation is cropped frame by frame, its timing kept', async () => {
  const webp = await sharp(await animatedWebp(90, 60, 3), { animated: true })
    .webp({ lossless: true })
    .toBuffer()
  const { bytes, output } = await crop(webp, { left: 10, top: 5, width: 40, height: 30, rotate: '180' })
  expect([output.format, ...sidesOf(output)]).toEqual(['webp', 40, 30])
  const metadata = await sharp(bytes, { animated: true }).metadata()
  expect(metadata).toMatchObject({ pages: 3, delay: [40, 50, 60], loop: 3, pageHeight: 30 })
  for (const page of [0, 1, 2]) {
    const frame = await sharp(await sharp(webp, { page }).rotate(180).png().toBuffer()).extract({ left: 10, top: 5, width: 40, height: 30 })
    expect((await sharp(bytes, { page }).removeAlpha().raw().toBuffer()).equals(await frame.removeAlpha().raw().toBuffer())).toBe(true)
  }
  const round = await crop(webp, { circle: true })
  expect(round.output.format).toBe('webp')
  expect(colourAt(round.seen, 0, 0)[3]).toBe(0)
})

test('with nothing to do the file comes back byte for byte', async () => {
  for (const options of [
    {},
    { ratio: 'original' },
    { width: 121, height: 87 },
    { left: 0, top: 0, width: 100, height: 100, unit: 'percent' },
  ]) {
    const { bytes, output } = await crop(jpeg, options)
    expect([output.note, bytes.equals(jpeg)]).toEqual([{ kind: 'unchanged' }, true])
  }
})

test('a canvas too large for straightening is told beforehand', async () => {
  const wide = await sharp({ create: { width: 20_000, height: 9000, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  await expect(crop(wide, { straighten: 45 })).rejects.toMatchObject({ code: 'image.too-many-pixels' })
})

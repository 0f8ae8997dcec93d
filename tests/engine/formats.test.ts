import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { openConversions } from '../fixtures/conversions.ts'
import { readPicture } from '../fixtures/oracle.ts'
import { samples, shown, SIDES, type Kept } from '../fixtures/samples.ts'
import { HEAD_BYTES, checkHead } from '#engine/image/identify'
import { convertibleFormats, formats, readableFormats, writableFormats, type ReadableId, type WritableId } from '#shared/formats'

const all = await samples()
const { width, height } = SIDES
const { converted, close } = await openConversions()
afterAll(close)

/** Mean difference of RGB samples from what was written, as far as the format keeps it, 0..255. */
function difference(rgb: Uint8Array, kept: Kept): number {
  let sum = 0
  for (let i = 0; i < width * height; i++) {
    const [red = 0, green = 0, blue = 0] = shown.subarray(i * 3, i * 3 + 3)
    const grey = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    const wanted = kept === 'colour' ? [red, green, blue] : [grey, grey, grey]
    for (let channel = 0; channel < 3; channel++) sum += Math.abs((wanted[channel] ?? 0) - (rgb[i * 3 + channel] ?? 0))
  }
  return sum / (width * height * 3)
}

/** The mean of 4 × 4 blocks: what dithering to black and white leaves of a picture. */
const blocks = (rgb: Buffer): Promise<Buffer> =>
  sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(width / 4, height / 4, { fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer()

async function expectSame(rgb: Buffer, kept: Kept, tolerance: number): Promise<void> {
  if (kept !== 'bilevel') return expect(difference(rgb, kept)).toBeLessThanOrEqual(tolerance + 1)
  expect(new Set(rgb).size, 'black and white').toBe(2)
  const [seen, wanted] = [await blocks(rgb), await blocks(shown)]
  expect(correlation(seen, wanted)).toBeGreaterThan(0.5)
}

function correlation(a: Buffer, b: Buffer): number {
  const mean = (values: Buffer): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [ma, mb] = [mean(a), mean(b)]
  let [ab, aa, bb] = [0, 0, 0]
  a.forEach((value, i) => {
    const [x, y] = [value - ma, (b[i] ?? 0) - mb]
    ab += x * y
    aa += x * x
    bb += y * y
  })
  return ab / Math.sqrt(aa * bb)
}

describe('reading', () => {
  test.each([...all.keys()])('%s shows what was written', async (id) => {
    const sample = all.get(id)
    if (!sample) throw new Error(id)
    const png = await converted(sample.bytes, `a.${formats[id].extensions[0]}`, { format: 'ppm' })
    // Read by hand: a binary PPM is a header of three numbers and the samples.
    expect(png.toString('latin1', 0, 13)).toBe(`P6\n${width} ${height}\n255\n`)
    await expectSame(png.subarray(13), sample.kept, sample.tolerance)
  })

  test('refuses an OpenEXR file of channels that would come out in wrong colours', async () => {
    const file = Buffer.from(all.get('exr')?.bytes ?? Buffer.alloc(0))
    file.write('Q', file.indexOf('R\0', file.indexOf('chlist')), 'latin1')
    await expect(converted(file, 'a.exr', { format: 'png' })).rejects.toMatchObject({ code: 'file.unusual-encoding' })
  })

  test('is promised for a hundred formats with writing, and named once each', () => {
    const both = new Set<string>([...convertibleFormats, ...writableFormats])
    expect(both.size).toBeGreaterThanOrEqual(100)
    expect(readableFormats).not.toContain('svg')
    const labels = Object.values(formats).map(({ label }) => label)
    expect(new Set(labels).size).toBe(labels.length)
  })
})

/** Formats whose encoder is not exact at quality 100, with the mean difference allowed. */
const losses: Readonly<Partial<Record<WritableId, number>>> = {
  jpeg: 3,
  heic: 12,
  avif: 3,
  gif: 8,
  jng: 3,
  dds: 7,
  xpm: 4,
  wpg: 4,
  palm: 8,
  hdr: 1,
  cin: 1,
  fits: 18,
  jxl: 1,
  pdf: 3,
}
const greys: ReadonlySet<WritableId> = new Set(['fits', 'vicar', 'pgx', 'pgm'])
const bilevels: ReadonlySet<WritableId> = new Set(['xbm', 'pbm', 'wbmp', 'otb'])
const icons = ['ico', 'cur', 'icns'] as const

describe('writing', () => {
  const source = all.get('png')?.bytes ?? Buffer.alloc(0)

  test.each(writableFormats.filter((id) => !icons.some((icon) => icon === id) && id !== 'pdf' && id !== 'png'))(
    '%s holds the picture for another reader',
    async (id) => {
      const file = await converted(source, 'a.png', { format: id, quality: 100 })
      const seen = readPicture(file, id)
      expect([seen.width, seen.height]).toEqual([width, height])
      const rgb = Buffer.from(seen.data.filter((_, i) => i % 4 < 3))
      await expectSame(rgb, bilevels.has(id) ? 'bilevel' : greys.has(id) ? 'grey' : 'colour', losses[id] ?? 0)
    },
  )

  test.each([...icons])('%s holds squares of the picture', async (id) => {
    const file = await converted(source, 'a.png', { format: id, icoSizes: '48' })
    // An icon file of macOS is a header of 16 bytes before its first PNG.
    const seen = id === 'icns' ? readPicture(file.subarray(16)) : readPicture(file, id === 'cur' ? 'ico' : id)
    expect([seen.width, seen.height]).toEqual({ ico: [48, 48], cur: [32, 32], icns: [128, 128] }[id])
    const middle = (Math.floor(seen.height / 2) * seen.width + Math.floor(seen.width / 2)) * 4
    expect(seen.data[middle + 3]).toBe(255)
    expect(seen.data[3], 'what the picture leaves of the square is clear').toBe(0)
  })
})

describe('the door', () => {
  test.each([...all.keys()])('lets a %s in by its first bytes and name, as the job does', async (id) => {
    const head = (all.get(id)?.bytes ?? Buffer.alloc(0)).subarray(0, HEAD_BYTES)
    await expect(checkHead(head, [id satisfies ReadableId], `a.${formats[id].extensions[0]}`)).resolves.toBeUndefined()
  })
})

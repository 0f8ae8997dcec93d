import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { densityOf, make } from '../fixtures/id-photo.ts'
import { colourAt, type Seen } from '../fixtures/oracle.ts'
import { animatedWebp, orientedJpeg, photo } from '../fixtures/pictures.ts'
import { portrait, portraitSamples } from '../fixtures/portraits.ts'
import { idPhotos, type IdPhoto } from '#shared/id-photos'

const source = await portrait(1200, 1600)

/** The components of a JPEG by its frame header (ITU-T T.81 §B.2.2). */
function componentsOf(bytes: Buffer): number | undefined {
  for (let at = 2; bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if ([0xc0, 0xc1, 0xc2].includes(bytes[at + 1] ?? 0)) return bytes[at + 9]
  }
  return undefined
}

describe.each<[string, IdPhoto]>(Object.entries(idPhotos))('%s', (preset, { widthPx, heightPx, dpi, minKb, maxKb }) => {
  test('has its exact pixels, its dpi and its size by both ways of counting KB', async () => {
    const { output, bytes, seen } = await make(source, { preset })
    expect([seen.format, seen.width, seen.height]).toEqual(['JPEG', widthPx, heightPx])
    expect(output).toMatchObject({ format: 'jpeg', width: widthPx, height: heightPx, bytes: bytes.length, name: '张三.jpg' })
    expect(output.note).toBeUndefined()
    expect(densityOf(bytes)).toBe(`${dpi}×${dpi} dpi`)
    if (maxKb !== undefined) expect(bytes.length).toBeLessThanOrEqual(maxKb * 1000)
    if (minKb !== undefined) expect(bytes.length).toBeGreaterThanOrEqual(minKb * 1024)
    expect(componentsOf(bytes)).toBe(3)
    // The face is in it, undistorted: skin at the centre line where its middle must be, a little above the picture's.
    const [red = 0, , blue = 0] = colourAt(seen, Math.round(widthPx / 2), Math.round(heightPx * 0.4))
    expect(red - blue).toBeGreaterThan(50)
    await sharp(bytes, { failOn: 'warning' }).raw().toBuffer()
  })
})

describe('sides', () => {
  test.each<[string, object, number, number]>([
    ['both, cropped', { preset: 'custom', width: 300, height: 300 }, 300, 300],
    ['both, stretched', { preset: 'custom', width: 300, height: 300, keepRatio: false }, 300, 300],
    ['a width, by the source’s ratio', { preset: 'custom', width: 300 }, 300, 400],
    ['a width, by the preset’s ratio', { preset: 'one-inch', width: 590 }, 590, 826],
    ['none: those of the source', { preset: 'none' }, 1200, 1600],
    ['none of a part', { preset: 'none', crop: { by: 'rectangle', cropLeft: 25, cropTop: 25, cropWidth: 50, cropHeight: 25 } }, 600, 400],
  ])('%s', async (_title, options, width, height) => {
    const { seen } = await make(source, options)
    expect([seen.width, seen.height]).toEqual([width, height])
  })

  test('a crop keeps circles round, stretching does not', async () => {
    // Rows of skin over columns of skin, through the middle of the face.
    const shape = async (options: object): Promise<number> => {
      const { seen } = await make(source, { preset: 'custom', width: 400, height: 400, ...options })
      const middle = [...Array(400).keys()].filter((y) => isSkinOrHair(seen, 200, y))
      const centre = Math.round(((middle[0] ?? 0) + (middle.at(-1) ?? 0)) / 2)
      return middle.length / [...Array(400).keys()].filter((x) => isSkinOrHair(seen, x, centre)).length
    }
    expect(await shape({})).toBeCloseTo(1 / 0.7, 1)
    expect(await shape({ keepRatio: false })).toBeCloseTo(0.75 / 0.7, 1)
  })

  test('kept without a limit: a file of the same format does not grow', async () => {
    const small = await sharp(source).jpeg({ quality: 60 }).toBuffer()
    expect((await make(small, { preset: 'none' })).bytes.length).toBeLessThanOrEqual(small.length)
  })
})

/** Warm or dark: what only the head of the drawn portrait is (its body is blue and dark). */
function isSkinOrHair(seen: Seen, x: number, y: number): boolean {
  const [red = 0, , blue = 0] = colourAt(seen, x, y)
  return red > blue + 5
}

describe('a marked head', () => {
  const lines = { crown: [250, 0, 0], eyes: [0, 220, 0], chin: [250, 0, 250] } as const
  /** The portrait with coloured lines right across at its crown, eyes and chin. */
  async function marked(
    width: number,
    height: number,
    marks: { crown: number; eyes: number; chin: number; centre: number },
  ): Promise<Buffer> {
    const data = portraitSamples(width, height)
    for (const name of ['crown', 'eyes', 'chin'] as const) {
      const row = Math.round((marks[name] / 100) * height)
      for (let y = row - 3; y < row + 3; y++) for (let x = 0; x < width; x++) data.set(lines[name], (y * width + x) * 3)
    }
    return sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer()
  }
  /** The middle of a line's rows in a picture, as a part of its height. */
  function found(seen: Seen, [red, green, blue]: readonly [number, number, number], x: number): number {
    const rows = [...Array(seen.height).keys()].filter((y) => {
      const [r = 0, g = 0, b = 0] = colourAt(seen, x, y)
      return Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue) < 150
    })
    expect(rows.length).toBeGreaterThan(0)
    return rows.reduce((sum, y) => sum + y + 0.5, 0) / rows.length / seen.height
  }
  const marks = { crown: 20, eyes: 40, chin: 60, centre: 50 }

  test.each(['one-inch', 'passport', 'us-visa', 'schengen-visa', 'id-card'] as const)(
    '%s: crown, chin and eyes lie where it wants them',
    async (preset) => {
      const { head, heightPx, widthPx }: IdPhoto = idPhotos[preset]
      const { seen } = await make(await marked(900, 1200, marks), { preset, crop: { by: 'head', ...marks } })
      const at = (name: keyof typeof lines): number => found(seen, lines[name], Math.round(widthPx / 2))
      expect(Math.abs(at('crown') - head.above) * heightPx).toBeLessThan(2)
      expect(Math.abs(at('chin') - head.above - head.height) * heightPx).toBeLessThan(2)
      const [lowest, highest] = head.eyes ?? [0, 1]
      expect(1 - at('eyes')).toBeGreaterThan(lowest)
      expect(1 - at('eyes')).toBeLessThan(highest)
    },
  )

  test('near an edge gets white beside it, never stretched or shifted', async () => {
    const head = { crown: 0.03, chin: 0.5, centre: 0.3 }
    const picture = await portrait(900, 1000, head)
    const { seen } = await make(picture, { preset: 'one-inch', crop: { by: 'head', crown: 3, eyes: 25, chin: 50, centre: 30, tilt: 0 } })
    // 470 px of head are two thirds of 705 px: 10 % of it above the crown is 70 px, of which the picture has 30.
    expect(colourAt(seen, 147, 8).every((value) => value > 240)).toBe(true)
    expect(colourAt(seen, 147, 32).every((value) => value > 240)).toBe(false)
    const rows = [...Array(413).keys()].filter((y) => isSkinOrHair(seen, 147, y))
    expect(Math.abs((rows[0] ?? 0) - 41)).toBeLessThan(5)
    expect(Math.abs((rows.at(-1) ?? 0) - 317)).toBeLessThan(5)
  })

  test('tilted is set upright', async () => {
    const leaning = await sharp(await marked(1000, 1300, marks))
      .rotate(10, { background: '#6296d6' })
      .png()
      .toBuffer()
    const { width = 0, height = 0 } = await sharp(leaning).metadata()
    // Turned back, the old picture lies in the middle of the new one.
    const inNew = (line: number): number => (((line / 100 - 0.5) * 1300) / height + 0.5) * 100
    const crop = { by: 'head', crown: inNew(20), eyes: inNew(40), chin: inNew(60), centre: 50, tilt: 10 }
    expect(width).toBeGreaterThan(1000)
    const { seen } = await make(leaning, { preset: 'passport', crop })
    const { above, height: part } = idPhotos.passport.head
    for (const x of [60, 195, 330]) {
      expect(Math.abs(found(seen, lines.crown, x) - above) * 567).toBeLessThan(3)
      expect(Math.abs(found(seen, lines.chin, x) - above - part) * 567).toBeLessThan(3)
    }
  })

  test('that the picture cuts is refused, and so are marks out of order', async () => {
    const crop = { by: 'head', ...marks, tilt: 0 }
    await expect(make(source, { crop: { ...crop, centre: 3 } })).rejects.toMatchObject({ code: 'options.head-outside' })
    await expect(make(source, { crop: { ...crop, eyes: 70 } })).rejects.toMatchObject({ code: 'options.head-marks' })
  })
})

describe('sizes', () => {
  test('asked for go before the preset’s', async () => {
    const { bytes } = await make(source, { preset: 'civil-service-exam', maxKb: 15 })
    expect(bytes.length).toBeLessThanOrEqual(15_000)
    const large = await make(source, { preset: 'nurse-exam', minKb: 300, maxKb: 310 })
    expect(large.bytes.length).toBeGreaterThanOrEqual(300 * 1024)
    expect(large.bytes.length).toBeLessThanOrEqual(310_000)
  })

  test('that no quality reaches are missed openly, with exact pixels all the same', async () => {
    const { output, seen } = await make(source, { preset: 'five-inch', maxKb: 5 })
    expect(output.note).toEqual({ kind: 'missed', targetBytes: 5000, bestBytes: output.bytes })
    expect([seen.width, seen.height]).toEqual([1050, 1499])
  })

  test.each(['png', 'webp', 'avif'] as const)('hold for a %s too', async (format) => {
    const picture = await sharp(source).resize(600).toFormat(format).toBuffer()
    const { output, bytes, seen } = await make(picture, { format: 'source', minKb: 60, maxKb: 100, dpi: 254 }, 'a.bin')
    expect([output.format, seen.width, seen.height]).toEqual([format, 295, 413])
    expect(bytes.length).toBeGreaterThanOrEqual(60 * 1024)
    expect(bytes.length).toBeLessThanOrEqual(100_000)
    if (format === 'png') expect(densityOf(bytes)).toBe('254×254 dpi')
  })
})

describe('the source', () => {
  test('enlarged more than twice is said, more than eight times refused with what is needed', async () => {
    const note = async (width: number): Promise<unknown> => (await make(await portrait(width, Math.round(width * 1.4)), {})).output.note
    expect(await note(150)).toBeUndefined()
    expect(await note(100)).toEqual({ kind: 'enlarged', times: 3 })
    const tiny = await portrait(30, 42)
    await expect(make(tiny, {})).rejects.toMatchObject({ code: 'file.too-small', data: { width: 37, height: 52 } })
    expect((await make(await portrait(37, 52), {})).seen.width).toBe(295)
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('is set upright from orientation %i', async (orientation) => {
    const { seen } = await make(await orientedJpeg(orientation), { preset: 'custom', width: 90, height: 60 })
    expect(seen.orientation).toBeLessThanOrEqual(1)
    const isRed = (x: number, y: number): boolean => (colourAt(seen, x, y)[0] ?? 0) > 128
    expect([isRed(10, 10), isRed(80, 10), isRed(10, 50), isRed(80, 50)]).toEqual([true, false, false, false])
  })

  test('grey becomes 24-bit colour; transparent parts and animations become a white, still photo', async () => {
    const grey = await make(await photo(600, 800).toColourspace('b-w').jpeg().toBuffer(), {})
    expect(componentsOf(grey.bytes)).toBe(3)
    for (const channels of ['rgba', 'grey'] as const) {
      const clear = sharp({ create: { width: 500, height: 700, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      const { seen } = await make(await (channels === 'grey' ? clear.toColourspace('b-w') : clear).png().toBuffer(), {})
      expect(colourAt(seen, 150, 200)).toEqual([255, 255, 255, 255])
    }
    const still = await make(await animatedWebp(300, 420, 3), { format: 'source' }, 'a.webp')
    expect([still.seen.frames, still.seen.width, still.seen.height]).toEqual([1, 295, 413])
  })
})

test('the command line knows both pages and keeps a photo’s width apart from a crop’s', async () => {
  await using folder = await testFolder()
  await writeFile(join(folder.path, '照片.jpg'), source)
  const program = fileURLToPath(new URL('../../build/qingtu.mjs', import.meta.url))
  const qingtu = async (...words: string[]): Promise<{ outputs: { path: string; bytes: number; width: number; height: number }[] }> =>
    JSON.parse(
      (await promisify(execFile)(process.execPath, [program, 'run', ...words, '--json', '--out', 'out', '照片.jpg'], { cwd: folder.path }))
        .stdout,
    )
  const { outputs } = await qingtu('/doc', '--preset', 'computer-rank-exam')
  expect(outputs).toMatchObject([{ width: 390, height: 567 }])
  expect(outputs[0]?.bytes).toBeLessThanOrEqual(200_000)
  expect(readFileSync(join(folder.path, outputs[0]?.path ?? '')).length).toBe(outputs[0]?.bytes)
  const sized = await qingtu('/docsize', '--preset', 'custom', '--width', '300', '--height', '400', '--keep-ratio')
  expect(sized.outputs).toMatchObject([{ width: 300, height: 400 }])
  const cropped = await qingtu('/docsize', '--width', '200', '--crop-left', '10', '--crop-width', '50')
  expect(cropped.outputs).toMatchObject([{ width: 200, height: 280 }])
  const marked = await qingtu('/docsize', '--preset', 'passport', '--crown', '20', '--eyes', '40', '--chin', '60', '--sheet', 'six-inch')
  expect(marked.outputs).toMatchObject([{ width: 1200, height: 1800 }])
})

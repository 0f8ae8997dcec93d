import exifr from 'exifr'
import sharp from 'sharp'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { alphaOf, cut, edgeError, kettle, rawOf, trueMatte } from '../fixtures/cut-outs.ts'
import { overlapOf } from '../fixtures/drawn-subjects.ts'
import { colourAt, readPicture } from '../fixtures/oracle.ts'
import * as predict from '#engine/ai/predict'

vi.mock('#engine/ai/predict', { spy: true })
const { predictMatte } = vi.mocked(predict)
beforeEach(() => void predictMatte.mockClear())

const picture = await kettle(900, 675)
const source = await rawOf(picture).png().toBuffer()
const matte = await trueMatte(picture)
const halves = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#00ff00' } })
  .composite([{ input: { create: { width: 200, height: 300, channels: 3, background: '#ff00ff' } }, left: 0, top: 0 }])
  .png()
  .toBuffer()
const blue = { by: 'colour', colour: '#438edb' } as const

/** What the result of a model says of itself. */
const producerOf = async (file: Buffer): Promise<unknown> => {
  const { TC260 } = (await exifr.parse(file, { xmp: true, mergeOutput: false })) ?? {}
  return TC260 && JSON.parse(TC260.AIGC).ContentProducer
}

describe('a subject before a ground', () => {
  test('is kept whole at its own size while the ground goes, and cut out again from its parts it is the same without a model', async () => {
    const shares: number[] = []
    const first = await cut(source, { kind: 'goods' }, { name: '水壶.jpg', wantsParts: true, progress: (share) => shares.push(share) })
    const { output, outputs, seen, bytes } = first
    expect(output).toMatchObject({ name: '水壶.png', format: 'png', width: 900, height: 675 })
    expect(overlapOf(picture.alpha, alphaOf(seen))).toBeGreaterThan(0.97)
    expect(alphaOf(seen).filter((alpha, at) => alpha > 0 && picture.alpha[at] === 0).length).toBeLessThan(0.01 * 900 * 675)
    expect(await producerOf(bytes)).toBe('轻图')
    expect(shares).toEqual(shares.toSorted((left, right) => left - right))
    expect(outputs.map(({ part }) => part)).toEqual([undefined, 'matte', 'foreground', 'source'])

    expect(predictMatte).toHaveBeenCalledTimes(1)
    const again = await cut(source, { kind: 'goods' }, { matte: await first.part('matte') })
    expect(again.bytes.equals(bytes)).toBe(true)
    expect(predictMatte).toHaveBeenCalledTimes(1)
  })

  test('has no rim of its old ground on a new one', async () => {
    const ideal = await kettle(900, 675, '#438edb')
    const clean = await cut(source, { kind: 'goods', background: blue }, { matte })
    const dirty = await cut(source, { kind: 'goods', background: blue, decontaminate: false }, { matte })
    expect(clean.output.format).toBe('jpeg')
    expect(edgeError(clean.seen, ideal)).toBeLessThan(1e-3)
    expect(edgeError(clean.seen, ideal)).toBeLessThan(edgeError(dirty.seen, ideal) / 2)
  })

  test('comes out upright however the camera was held', async () => {
    const onItsSide = await rawOf(picture).rotate(-90).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer()
    const { output, seen } = await cut(onItsSide, {}, { matte })
    expect([output.width, output.height, seen.width, seen.height, seen.orientation]).toEqual([900, 675, 900, 675, 0])
    expect(overlapOf(picture.alpha, alphaOf(seen))).toBeGreaterThan(0.99)
    const middle = [Math.round(0.45 * 900), Math.round(0.6 * 675)] as const
    expect(colourAt(seen, ...middle).map((value, at) => Math.abs(value - ([0xc8, 0x39, 0x2f, 255][at] ?? 0)) < 12)).toEqual([
      true,
      true,
      true,
      true,
    ])
  })
})

describe('the result', () => {
  test.each([
    ['auto', { by: 'transparent' }, 'png'],
    ['webp', { by: 'transparent' }, 'webp'],
    ['png', { by: 'original', originalBlur: 80 }, 'png'],
    ['auto', { by: 'gradient', from: '#ffffff', to: '#438edb', angle: 90 }, 'jpeg'],
  ])('asked for as %s on %j is a %s at the source’s density', async (format, background, expected) => {
    const dense = await rawOf(picture).withMetadata({ density: 300 }).jpeg().toBuffer()
    const { output, bytes, seen } = await cut(dense, { format, background }, { matte })
    expect(output.format).toBe(expected)
    expect(seen.hasAlpha).toBe(background.by === 'transparent')
    if (expected !== 'webp') expect((await sharp(bytes).metadata()).density).toBe(300)
  })

  test('is cropped to its subject with a margin', async () => {
    const { seen } = await cut(source, { trim: true, margin: 0 }, { matte })
    const rows = Math.round(0.6 * 675)
    expect(Math.abs(seen.height - rows)).toBeLessThan(25)
    const { seen: airy } = await cut(source, { trim: true, margin: 10 }, { matte })
    expect(airy.height - seen.height).toBeGreaterThan(0.18 * seen.height)
  })

  test('follows strokes and edges, and none of them is in the matte that is kept', async () => {
    const erased = { mode: 'erase', size: 0.2, hardness: 1, points: [0.45, 0.6] }
    const { seen, part } = await cut(source, { strokes: [erased], shift: -3, feather: 4 }, { matte, wantsParts: true })
    const centre = Math.round(0.6 * 675) * 900 + Math.round(0.45 * 900)
    expect(alphaOf(seen)[centre]).toBe(0)
    const file = await part('matte')
    expect(await sharp(file).metadata()).toMatchObject({ format: 'png', width: 900, height: 675, channels: 1 })
    expect((await sharp(file).extractChannel(0).raw().toBuffer()).equals(picture.alpha)).toBe(true)
  })

  test('is named by the rule alone, however many parts lie beside it', async () => {
    const { outputs } = await cut(source, { fileName: '{name}-抠图' }, { matte, name: 'matte.png', wantsParts: true })
    expect(outputs.map(({ name }) => name)).toEqual(['matte-抠图.png', 'matte.png', 'foreground.webp', 'source.webp'])
    expect(new Set(outputs.map(({ path }) => path)).size).toBe(4)
  })

  test('has previews no larger than a screen beside it: the subject’s own colours, and the source', async () => {
    const large = await kettle(2400, 1800)
    const { part, outputs } = await cut(await rawOf(large).png().toBuffer(), {}, { matte: await trueMatte(large), wantsParts: true })
    expect(outputs.slice(2).map(({ format, width, height }) => [format, width, height])).toEqual([
      ['webp', 1600, 1200],
      ['webp', 1600, 1200],
    ])
    const [foreground, shown] = [readPicture(await part('foreground')), readPicture(await part('source'))]
    expect([foreground.hasAlpha, shown.hasAlpha]).toEqual([false, false])
    expect(colourAt(shown, 20, 20)).toEqual(
      colourAt(
        readPicture(
          await sharp(await rawOf(large).png().toBuffer())
            .resize(1600)
            .webp({ quality: 90, effort: 2 })
            .toBuffer(),
        ),
        20,
        20,
      ),
    )
  })
})

describe('a background picture', () => {
  const image = { by: 'image', fit: 'cover', x: 50, y: 50, imageBlur: 0 } as const

  test('lies behind the subject', async () => {
    const { seen } = await cut(source, { background: image, format: 'png' }, { matte, attachment: halves })
    expect([colourAt(seen, 10, 10), colourAt(seen, 890, 660)]).toEqual([
      [255, 0, 255, 255],
      [0, 255, 0, 255],
    ])
    expect(colourAt(seen, 405, 405)[0]).toBeGreaterThan(180)
  })

  test('is shown upright', async () => {
    const onItsSide = await sharp(halves)
      .rotate(-90)
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer()
    const { seen } = await cut(source, { background: image, format: 'png' }, { matte, attachment: onItsSide })
    expect(colourAt(seen, 10, 660)[1]).toBeLessThan(30)
    expect(colourAt(seen, 890, 10)[1]).toBeGreaterThan(225)
  })

  test('that is missing, broken, no picture or too large is said to be the one at fault', async () => {
    const wide = await sharp({ create: { width: 30_001, height: 1, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const outcomes = [undefined, halves.subarray(0, 200), Buffer.from('no picture'), Buffer.alloc(0), wide].map((attachment) =>
      cut(source, { background: image }, { matte, ...(attachment && { attachment }) }).catch((thrown: { code?: string }) => thrown.code),
    )
    expect(await Promise.all(outcomes)).toEqual(['options.background-missing', ...Array(4).fill('options.background-unreadable')])
  })
})

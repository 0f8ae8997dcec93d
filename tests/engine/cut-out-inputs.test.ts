import sharp from 'sharp'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { film, gifOf } from '../fixtures/animations.ts'
import { alphaOf, cut, kettle, rawOf, trueMatte } from '../fixtures/cut-outs.ts'
import { colourAt } from '../fixtures/oracle.ts'
import * as predict from '#engine/ai/predict'
import { AppError } from '#shared/errors/app-error'

vi.mock('#engine/ai/predict', { spy: true })
const { predictMatte } = vi.mocked(predict)
beforeEach(() => void predictMatte.mockReset())

const blank = (width: number, height: number, background = '#ffffff') => sharp({ create: { width, height, channels: 3, background } })
const codeOf = (cutting: Promise<unknown>): Promise<unknown> =>
  cutting.then(
    () => 'done',
    (thrown: unknown) => (thrown instanceof AppError ? thrown.code : thrown),
  )
const seesNothing = () => Promise.reject(new AppError('cutout.no-subject', {}))

const picture = await kettle(400, 300)
const source = await rawOf(picture).png().toBuffer()
const matte = await trueMatte(picture)
/** The kettle with nothing around it, its colours at the edge its own. */
const transparent = await rawOf(await kettle(400, 300, '#c8392f'))
  .joinChannel(picture.alpha, { raw: { width: 400, height: 300, channels: 1 } })
  .png()
  .toBuffer()

describe('a picture that is transparent already', () => {
  test('keeps its own alpha to the last bit, and no model is asked', async () => {
    const { seen, bytes } = await cut(transparent, {})
    expect(Buffer.from(alphaOf(seen)).equals(picture.alpha)).toBe(true)
    expect(predictMatte).not.toHaveBeenCalled()
    expect((await sharp(bytes).metadata()).xmp, 'it is not by a model').toBeUndefined()
  })

  test('gets a new ground without a rim', async () => {
    const { seen } = await cut(transparent, { background: { by: 'colour', colour: '#00ff00' }, format: 'png' })
    expect(colourAt(seen, 5, 5)).toEqual([0, 255, 0, 255])
    const edges = [...picture.alpha.keys()].filter((at) => (picture.alpha[at] ?? 0) > 100 && (picture.alpha[at] ?? 0) < 155)
    // Half kettle, half green: nothing of the black or white that transparent pixels may hide.
    for (const at of edges) expect((seen.data[4 * at] ?? 0) + (seen.data[4 * at + 1] ?? 0)).toBeGreaterThan(170)
  })

  test('only at its corners is cut out of its ground all the same, and the corners stay clear', async () => {
    predictMatte.mockImplementation(() =>
      Promise.resolve({ matte: { data: new Uint8Array(120_000).fill(255), width: 400, height: 300 }, confidence: 1, isSure: true }),
    )
    const mask = Buffer.from('<svg width="400" height="300"><rect width="400" height="300" rx="30"/></svg>')
    const rounded = await rawOf(picture)
      .ensureAlpha()
      .composite([{ input: mask, blend: 'dest-in' }])
      .png()
      .toBuffer()
    const { seen } = await cut(rounded, {})
    expect(predictMatte).toHaveBeenCalledTimes(1)
    expect([colourAt(seen, 1, 1)[3], colourAt(seen, 200, 150)[3]]).toEqual([0, 255])
  })
})

describe('where no subject is found', () => {
  const dab = { mode: 'keep', size: 0.2, hardness: 1, points: [0.5, 0.5] }

  test('the job fails and says so', async () => {
    predictMatte.mockImplementation(seesNothing)
    expect(await codeOf(cut(source, {}))).toBe('cutout.no-subject')
    expect(await codeOf(cut(source, { strokes: [{ ...dab, mode: 'erase' }] }))).toBe('cutout.no-subject')
  })

  test('what a person paints is the subject, and not called the work of a model', async () => {
    predictMatte.mockImplementation(seesNothing)
    const { seen, bytes, part } = await cut(source, { strokes: [dab] }, { wantsParts: true })
    expect([colourAt(seen, 200, 150)[3], colourAt(seen, 10, 10)[3]]).toEqual([255, 0])
    expect((await sharp(bytes).metadata()).xmp).toBeUndefined()
    const empty = await part('matte')
    const again = await cut(source, { strokes: [dab] }, { matte: empty })
    expect(again.bytes.equals(bytes)).toBe(true)
    expect(predictMatte).toHaveBeenCalledTimes(1)
  })

  test('nor is there a result of nothing where all was erased', async () => {
    expect(await codeOf(cut(source, { strokes: [{ mode: 'erase', size: 1, hardness: 1, points: [0, 0.5, 1, 0.5] }] }, { matte }))).toBe(
      'cutout.no-subject',
    )
  })

  test('a missing model is another matter, whatever was painted', async () => {
    predictMatte.mockImplementation(() => Promise.reject(new AppError('model.missing', {})))
    expect(await codeOf(cut(source, { strokes: [dab] }))).toBe('model.missing')
  })
})

describe('the matte of an earlier job', () => {
  test.each([
    ['of another picture', () => blank(300, 400).png().toBuffer()],
    ['that is broken', () => matte.subarray(0, matte.length / 2)],
    ['that is no picture', () => Buffer.from('lost')],
  ])('%s is made anew', async (_, broken) => {
    predictMatte.mockImplementation(() => Promise.resolve({ matte: { ...picture, data: picture.alpha }, confidence: 0.3, isSure: false }))
    const { output } = await cut(source, {}, { matte: await broken() })
    expect(predictMatte).toHaveBeenCalledTimes(1)
    expect(output.note).toEqual({ kind: 'unsure' })
  })

  test.each([false, true])('knows whether its model was sure: %s', async (isSure) => {
    predictMatte.mockImplementation(() => Promise.resolve({ matte: { ...picture, data: picture.alpha }, confidence: 0.4, isSure }))
    const note = isSure ? undefined : { kind: 'unsure' }
    const first = await cut(source, {}, { wantsParts: true })
    expect(first.output.note).toEqual(note)
    const again = await cut(source, {}, { matte: await first.part('matte'), wantsParts: true })
    expect(again.output.note).toEqual(note)
    expect((await cut(source, {}, { matte: await again.part('matte') })).output.note).toEqual(note)
    // Who has painted has looked at it.
    const strokes = [{ mode: 'keep', size: 0.1, hardness: 1, points: [0.5, 0.5] }]
    expect((await cut(source, { strokes }, { matte: await first.part('matte') })).output.note).toBeUndefined()
    expect(predictMatte).toHaveBeenCalledTimes(1)
  })
})

describe('unusual pictures', () => {
  test('of an animation the first frame is cut out', async () => {
    const moving = await gifOf(film(80, 60, 3), [40, 40, 40])
    const { output, seen } = await cut(moving, {}, { matte: await blank(80, 60).png().toBuffer() })
    expect([output.format, output.width, output.height, seen.frames]).toEqual(['png', 80, 60, 1])
  })

  test.each([
    ['one pixel', 1, 1],
    ['a line', 30_000, 1],
    ['a thread', 1, 20_000],
  ])('%s becomes a result with its parts', async (_, width, height) => {
    const file = await blank(width, height, '#336699').png().toBuffer()
    const full = await blank(width, height).png().toBuffer()
    for (const by of ['transparent', 'original'] as const) {
      const background = by === 'original' ? { by, originalBlur: 100 } : { by }
      const shadow = { by: 'drop', opacity: 50, spread: 3, distance: 3, direction: 135 }
      const { seen, outputs } = await cut(
        file,
        { background, shadow, feather: 10, shift: 2, trim: true },
        { matte: full, wantsParts: true },
      )
      expect([seen.width > 0, seen.height > 0, outputs.length]).toEqual([true, true, 4])
    }
  })

  test('a side that the format can not hold is refused before a model is asked', async () => {
    const line = await blank(30_000, 1).png().toBuffer()
    expect(await codeOf(cut(line, { format: 'webp' }))).toBe('format.side-limit')
    expect(predictMatte).not.toHaveBeenCalled()
  })

  test('a margin that would make too large a picture is refused before it is made', async () => {
    const wide = await blank(16_000, 22).png().toBuffer()
    const inner = await blank(15_998, 20).extend({ top: 1, bottom: 1, left: 1, right: 1, background: '#000000' }).png().toBuffer()
    expect(await codeOf(cut(wide, { trim: true, margin: 50 }, { matte: inner }))).toBe('image.too-many-pixels')
    expect(await codeOf(cut(wide, { trim: true, margin: 0 }, { matte: inner }))).toBe('done')
  })
})

import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { pixelsOf, portraitOfOne } from '../fixtures/faces.ts'
import { facePhoto } from '../fixtures/face-photos.ts'
import { colourAt } from '../fixtures/oracle.ts'
import { portrait } from '../fixtures/portraits.ts'
import { findFaces } from '#engine/ai/faces'
import * as predict from '#engine/ai/predict'
import { tiltOf } from '#engine/image/head-lines'
import { idPhotos } from '#shared/id-photos'

vi.mock('#engine/ai/predict', { spy: true })
const { predictMatte } = vi.mocked(predict)
beforeEach(() => void predictMatte.mockClear())

const source = await portraitOfOne.bytes()
const face = { by: 'face' } as const
const blue = { by: 'colour', colour: '#438edb' } as const

/** Where a photo's face lies, in parts of its sides. */
async function faceIn(photo: Buffer): Promise<{ eyes: number; chin: number; centre: number; tilt: number }> {
  const pixels = await pixelsOf(photo)
  const [found] = await findFaces(pixels)
  if (!found) throw new Error('no face in the photo')
  const eyes = found.landmarks.slice(36, 48)
  const mean = (of: 'x' | 'y'): number => eyes.reduce((sum, point) => sum + point[of], 0) / eyes.length
  const { width, height } = pixels
  return {
    eyes: mean('y') / height,
    chin: (found.landmarks[8]?.y ?? NaN) / height,
    centre: mean('x') / width,
    tilt: tiltOf(found.landmarks),
  }
}

const isNear = (colour: readonly number[], wanted: readonly number[]): boolean =>
  wanted.every((value, at) => Math.abs(value - (colour[at] ?? NaN)) < 6)

describe('a photo by the face', () => {
  test('has the head where its kind wants it, and says where it was', async () => {
    const { output, bytes } = await facePhoto(source, { preset: 'one-inch', crop: face })
    expect(output).toMatchObject({ width: 295, height: 413 })
    expect(output.note).toBeUndefined()
    expect(Math.abs((output.head?.eyes ?? NaN) - (100 * portraitOfOne.eyesPx) / portraitOfOne.height)).toBeLessThan(2)
    expect(Math.abs((output.head?.chin ?? NaN) - (100 * portraitOfOne.chinPx) / portraitOfOne.height)).toBeLessThan(2)
    const { chin, centre } = await faceIn(bytes)
    const { above, height } = idPhotos['one-inch'].head
    expect(Math.abs(chin - above - height)).toBeLessThan(0.1)
    expect(Math.abs(centre - 0.5)).toBeLessThan(0.08)
    expect(predictMatte).not.toHaveBeenCalled()
  })

  test('made once is left as it is when it is made again', async () => {
    const once = await facePhoto(source, { preset: 'one-inch', crop: face, format: 'png' })
    const again = await facePhoto(once.bytes, { preset: 'one-inch', crop: face, format: 'png' })
    expect((await sharp(again.bytes).raw().toBuffer()).equals(await sharp(once.bytes).raw().toBuffer())).toBe(true)
  })

  test('of nobody is cut in its middle, and says so', async () => {
    const drawn = await portrait(600, 800)
    const { output, bytes } = await facePhoto(drawn, { preset: 'passport', crop: face })
    expect(output.note).toEqual({ kind: 'no-face' })
    expect(output.head).toBeUndefined()
    expect(bytes.equals((await facePhoto(drawn, { preset: 'passport', crop: { by: 'auto' } })).bytes)).toBe(true)
  })

  test('without a size to bring it to stays whole, with its lines', async () => {
    const { output } = await facePhoto(source, { preset: 'none', crop: face })
    expect(output).toMatchObject({ width: portraitOfOne.width, height: portraitOfOne.height })
    expect(output.head).toBeDefined()
  })

  test('is printed in copies', async () => {
    const { output } = await facePhoto(source, { preset: 'one-inch', crop: face, sheet: 'six-inch' })
    expect(output).toMatchObject({ name: '张三-排版.jpg', width: 1200, height: 1800 })
  })
})

describe('a new background', () => {
  test('is exactly its colour beside the head, the head is upright, the file in its window, and a model’s work is marked', async () => {
    const { output, outputs, bytes, seen } = await facePhoto(
      source,
      { preset: 'id-card', crop: face, background: blue },
      { wantsParts: true },
    )
    expect(isNear(colourAt(seen, 8, 8), [0x43, 0x8e, 0xdb])).toBe(true)
    expect(isNear(colourAt(seen, 350, 8), [0x43, 0x8e, 0xdb])).toBe(true)
    expect(output.bytes).toBeGreaterThanOrEqual(14 * 1024)
    expect(output.bytes).toBeLessThanOrEqual(20_000)
    expect(bytes.includes('TC260:AIGC')).toBe(true)
    expect(Math.abs((await faceIn(bytes)).tilt)).toBeLessThan(4)
    // The crown is where her hair ends: about 75 px below the picture's upper edge.
    expect(Math.abs((output.head?.crown ?? NaN) - 7)).toBeLessThan(3)
    expect(outputs.map(({ part }) => part)).toEqual([undefined, 'matte'])
    expect(predictMatte).toHaveBeenCalledTimes(1)

    const matte = await readFile(outputs[1]?.path ?? '')
    const again = await facePhoto(source, { preset: 'id-card', crop: face, background: blue }, { matte })
    expect(again.bytes.equals(bytes)).toBe(true)
    expect(predictMatte).toHaveBeenCalledTimes(1)
  })

  test.each([false, true])('says so where its model is unsure, when it is made again too: sure is %s', async (isSure) => {
    const { width, height } = portraitOfOne
    const matte = { data: new Uint8Array(width * height).fill(255), width, height }
    predictMatte.mockImplementationOnce(() => Promise.resolve({ matte, confidence: 0.4, isSure }))
    const note = isSure ? undefined : { kind: 'unsure' }
    const once = await facePhoto(source, { background: blue }, { wantsParts: true })
    expect(once.output.note).toEqual(note)
    const kept = await readFile(once.outputs[1]?.path ?? '')
    const again = await facePhoto(source, { background: { by: 'colour', colour: '#ffffff' } }, { matte: kept })
    expect(again.output.note).toEqual(note)
    expect(predictMatte).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['in the middle', { by: 'auto' }],
    ['of a part', { by: 'rectangle', cropLeft: 0, cropTop: 0, cropWidth: 100, cropHeight: 60 }],
    ['by marks', { by: 'head', crown: 7, eyes: 24.5, chin: 40, centre: 46, tilt: 0 }],
  ])('goes with a crop %s too', async (_name, crop) => {
    const { seen, output } = await facePhoto(source, { preset: 'one-inch', crop, background: { by: 'colour', colour: '#ff0000' } })
    expect(isNear(colourAt(seen, 6, 6), [0xff, 0, 0])).toBe(true)
    expect(output.head).toBeUndefined()
  })

  test('at its poorest is within a limit as soon as the file is, whatever was kept free for the mark', async () => {
    const poorest = await facePhoto(source, { maxKb: 1, background: blue })
    expect(poorest.output.note).toMatchObject({ kind: 'missed', bestBytes: poorest.bytes.length })
    const maxKb = Math.ceil(poorest.bytes.length / 100) / 10
    const { output } = await facePhoto(source, { maxKb, background: blue })
    expect(output.note).toBeUndefined()
    expect(output.bytes).toBeLessThanOrEqual(maxKb * 1000)
  })

  test('for nobody is refused: there would be nothing on it', async () => {
    const empty = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#dfe3e8' } })
      .jpeg()
      .toBuffer()
    await expect(facePhoto(empty, { crop: face, background: blue })).rejects.toMatchObject({ code: 'face.not-found' })
  })

  test('for nobody an earlier cut-out found is refused as well, whatever was painted there', async () => {
    const { width, height } = portraitOfOne
    const matte = await sharp({ create: { width, height, channels: 3, background: '#000000' } })
      .toColourspace('b-w')
      .png()
      .toBuffer()
    await expect(facePhoto(source, { background: blue }, { matte })).rejects.toMatchObject({ code: 'face.not-found' })
    expect(predictMatte).not.toHaveBeenCalled()
  })

  test('of a picture that is cut out already needs no model, and its photo no mark', async () => {
    const { width, height } = portraitOfOne
    const hole = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect x="60" y="60" width="420" height="1040"/></svg>`,
    )
    const clear = await sharp(source)
      .composite([{ input: hole, blend: 'dest-in' }])
      .png()
      .toBuffer()
    const { seen, bytes, output } = await facePhoto(clear, { preset: 'one-inch', crop: face, background: blue })
    expect(predictMatte).not.toHaveBeenCalled()
    expect(bytes.includes('TC260:AIGC')).toBe(false)
    expect(isNear(colourAt(seen, 6, 6), [0x43, 0x8e, 0xdb])).toBe(true)
    expect(output.head).toBeDefined()
  })
})

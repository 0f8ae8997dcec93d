import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawnGroup, drawnPicture, overlapOf, type Placement } from '../fixtures/drawn-subjects.ts'
import { predictMatte } from '#engine/ai/predict'
import type { Pixels } from '#engine/image/pixels'
import type { Rect } from '#shared/resize'

const blank = async (colour: string): Promise<Pixels> => {
  const [width, height] = [640, 480]
  const data = await sharp({ create: { width, height, channels: 3, background: colour } })
    .raw()
    .toBuffer()
  return { data, width, height, channels: 3 }
}

describe('the shipped model', () => {
  test.each<[string, 'person' | 'kettle', number, number, Placement]>([
    ['a person in the middle', 'person', 800, 600, { across: 0.5, top: 0.15, tall: 0.7 }],
    ['a small object far to the side', 'kettle', 1600, 1200, { across: 0.8, top: 0.5, tall: 0.3 }],
    ['an object in a picture of 12 megapixels', 'kettle', 4000, 3000, { across: 0.4, top: 0.3, tall: 0.5 }],
  ])('finds %s', async (_, what, width, height, placement) => {
    const picture = await drawnPicture(what, width, height, placement)
    const { matte, confidence } = await predictMatte({ ...picture, channels: 3 }, 'general')
    expect(matte).toMatchObject({ width, height })
    expect(overlapOf(picture.alpha, matte.data)).toBeGreaterThan(0.95)
    expect(confidence).toBeGreaterThan(0.8)
    // What changes a copy of it must leave it alone: a Buffer's slices are no copies.
    expect(Buffer.isBuffer(matte.data)).toBe(false)
  })

  test('keeps what touches the frame: shoulders to the left, right and bottom', async () => {
    const picture = await drawnPicture('person', 520, 640, { across: 0.5, top: 0.12, tall: 1.1 })
    const { matte } = await predictMatte({ ...picture, channels: 3 }, 'person')
    const lastRow = (picture.height - 1) * picture.width
    const kept = matte.data.subarray(lastRow).reduce((sum, alpha) => sum + alpha, 0)
    const drawn = picture.alpha.subarray(lastRow).reduce((sum, alpha) => sum + alpha, 0)
    expect(kept / drawn).toBeGreaterThan(0.95)
    expect(overlapOf(picture.alpha, matte.data)).toBeGreaterThan(0.97)
  })

  test('sees each of several people whole where their faces are known', async () => {
    const { faces, ...group } = await drawnGroup()
    const seen = async (known: typeof faces) => (await predictMatte({ ...group, channels: 3 }, 'person', { faces: known })).matte.data
    const [together, each] = [overlapOf(group.alpha, await seen([])), overlapOf(group.alpha, await seen(faces))]
    expect(each).toBeGreaterThan(0.93)
    expect(each).toBeGreaterThan(together + 0.05)
  })

  test('looks for dark clothes before a dark ground again where only a face was seen, and leaves it to somebody to look at', async () => {
    const drawn = await drawnPicture('person', 520, 640, { across: 0.5, top: 0.12, tall: 1.1 }, '#0a0a0c')
    const coat = 0.45 * drawn.data.length
    const data = drawn.data.map((level, at) => (at > coat && (drawn.alpha[Math.floor(at / 3)] ?? 0) > 128 ? level * 0.08 : level))
    const seen = (faces: readonly Rect[]) => predictMatte({ ...drawn, data: Buffer.from(data), channels: 3 }, 'person', { faces })
    const [unknown, known] = [await seen([]), await seen([{ left: 200, top: 130, width: 120, height: 170 }])]
    expect(overlapOf(drawn.alpha, unknown.matte.data)).toBeLessThan(0.6)
    expect(overlapOf(drawn.alpha, known.matte.data)).toBeGreaterThan(0.95)
    expect(known.isSure).toBe(false)
  })

  test('is as sure as ever of a person who is whole', async () => {
    const picture = await drawnPicture('person', 520, 640, { across: 0.5, top: 0.12, tall: 1.1 })
    const seen = (faces: readonly Rect[]) => predictMatte({ ...picture, channels: 3 }, 'person', { faces })
    const [unknown, known] = [await seen([]), await seen([{ left: 200, top: 130, width: 120, height: 170 }])]
    expect(known).toEqual(unknown)
  })

  test('answers a grey picture as it does the same picture in three channels', async () => {
    const drawn = await drawnPicture('person', 600, 600, { across: 0.5, top: 0.2, tall: 0.8 })
    const { width, height } = drawn
    const grey = await sharp(drawn.data, { raw: { width, height, channels: 3 } })
      .greyscale()
      .raw()
      .toBuffer()
    const tripled = Buffer.from(Array.from(grey, (value) => [value, value, value]).flat())
    const one = await predictMatte({ data: grey, width, height, channels: 1 }, 'general')
    const three = await predictMatte({ data: tripled, width, height, channels: 3 }, 'general')
    expect(overlapOf(one.matte.data, three.matte.data)).toBeGreaterThan(0.99)
  })

  test.each(['#ffffff', '#000000', '#438edb'])('says there is no subject on a picture of nothing but %s', async (colour) => {
    await expect(predictMatte(await blank(colour), 'general')).rejects.toMatchObject({ code: 'cutout.no-subject' })
  })

  test('says there is no subject in noise', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const data = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#888', noise } })
      .raw()
      .toBuffer()
    const nothing = predictMatte({ data, width: 400, height: 300, channels: 3 }, 'general')
    await expect(nothing).rejects.toMatchObject({ code: 'cutout.no-subject' })
  })

  test.each([
    [1, 1],
    [3000, 1],
    [1, 3000],
  ])('does not stumble over a picture of %i by %i pixels', async (width, height) => {
    const data = Buffer.alloc(width * height * 3, 200)
    const outcome = await predictMatte({ data, width, height, channels: 3 }, 'general').catch((thrown: unknown) => thrown)
    expect(outcome).toMatchObject({ code: 'cutout.no-subject' })
  })

  test('tells nobody that it ran: the runtime’s telemetry, which would keep a log here, is off', async () => {
    const picture = await drawnPicture('kettle', 200, 150, { across: 0.5, top: 0.2, tall: 0.6 })
    await predictMatte({ ...picture, channels: 3 }, 'goods')
    expect((await readdir(tmpdir())).filter((file) => file === `mat-debug-${process.pid}.log`)).toEqual([])
  })

  test('tells how far it is, and never less than before', async () => {
    const shares: number[] = []
    const picture = await drawnPicture('kettle', 800, 600, { across: 0.5, top: 0.2, tall: 0.6 })
    await predictMatte({ ...picture, channels: 3 }, 'goods', { progress: (share) => shares.push(share) })
    expect(shares.length).toBeGreaterThan(2)
    expect(shares).toEqual(shares.toSorted((left, right) => left - right))
    expect(shares.every((share) => share > 0 && share <= 1)).toBe(true)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Pixels } from '#engine/image/pixels'
import { composeCutOut, type Composition } from '#engine/matte/compose'
import type { Matte } from '#shared/matte/matte'

type Options = Composition['options']
const plainly: Options = { background: { by: 'transparent' }, trim: false, margin: 0, shadow: { by: 'none' } }
const on = (background: Options['background']): Options => ({ ...plainly, background })

const coloured = (width: number, height: number, colourAt: (x: number, y: number) => readonly number[]): Pixels => ({
  data: Buffer.from(Array.from({ length: width * height }, (_, at) => colourAt(at % width, Math.floor(at / width))).flat()),
  width,
  height,
  channels: 3,
})
const drawn = (width: number, height: number, alphaAt: (x: number, y: number) => number): Matte => ({
  data: Uint8Array.from({ length: width * height }, (_, at) => alphaAt(at % width, Math.floor(at / width))),
  width,
  height,
})
const at = ({ data, width, channels }: Pixels, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels),
]
const source = coloured(120, 80, (x, y) => [2 * x, 3 * y, 90])
const square = drawn(120, 80, (x, y) => (x >= 40 && x < 80 && y >= 20 && y < 60 ? 255 : 0))
const red = coloured(120, 80, () => [220, 30, 20])

describe('a cut-out', () => {
  test('on a colour is subject times alpha and colour times the rest, to a level', async () => {
    const sample = fc.uint8Array({ minLength: 12, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(sample, sample, sample, sample, fc.uint8Array({ minLength: 3, maxLength: 3 }), async (a, r, g, b, colour) => {
        const foreground = coloured(4, 3, (x, y) => [r[4 * y + x] ?? 0, g[4 * y + x] ?? 0, b[4 * y + x] ?? 0])
        const matte = { data: a, width: 4, height: 3 }
        const hex = `#${Buffer.from(colour).toString('hex')}`
        const result = await composeCutOut({ source: foreground, foreground, matte, options: on({ by: 'colour', colour: hex }) })
        expect(result.channels).toBe(3)
        result.data.forEach((value, place) => {
          const share = (a[Math.floor(place / 3)] ?? 0) / 255
          expect(Math.abs(value - ((foreground.data[place] ?? 0) * share + (colour[place % 3] ?? 0) * (1 - share)))).toBeLessThanOrEqual(1)
        })
      }),
      { seed: 41 },
    )
  })

  test('on nothing keeps its colours and has its matte as alpha', async () => {
    const soft = drawn(120, 80, (x) => 2 * x)
    const result = await composeCutOut({ source, foreground: red, matte: soft, options: plainly })
    expect(result.channels).toBe(4)
    for (const x of [1, 20, 60, 119]) expect(at(result, x, 40)).toEqual([220, 30, 20, 2 * x])
  })

  test('is cropped to its subject with a margin, ground going on beyond the picture', async () => {
    const corner = drawn(120, 80, (x, y) => (x >= 4 && x < 44 && y >= 30 && y < 50 ? 255 : 0))
    const trimmed = { ...on({ by: 'colour', colour: '#0000ff' }), trim: true, margin: 25 }
    const result = await composeCutOut({ source, foreground: red, matte: corner, options: trimmed })
    expect([result.width, result.height]).toEqual([60, 40])
    expect(at(result, 9, 20)).toEqual([0, 0, 255])
    expect(at(result, 10, 10)).toEqual([220, 30, 20])
    expect(at(result, 49, 29)).toEqual([220, 30, 20])
    expect(at(result, 50, 29)).toEqual([0, 0, 255])
    // On its own ground there is nothing beyond the picture.
    const own = await composeCutOut({
      source,
      foreground: red,
      matte: corner,
      options: { ...trimmed, background: { by: 'original', originalBlur: 0 } },
    })
    expect([own.width, own.height]).toEqual([54, 40])
    expect(at(own, 0, 0)).toEqual(at(source, 0, 20))
  })

  test('casts its shadow beside itself, on a colour and on nothing alike', async () => {
    const shadow = { by: 'drop', opacity: 40, spread: 0, distance: 10, direction: 90 } as const
    const white = await composeCutOut({
      source,
      foreground: red,
      matte: square,
      options: { ...on({ by: 'colour', colour: '#ffffff' }), shadow },
    })
    expect(at(white, 60, 40)).toEqual([220, 30, 20])
    expect(at(white, 88, 40)).toEqual([153, 153, 153])
    expect(at(white, 96, 40)).toEqual([255, 255, 255])
    const clear = await composeCutOut({ source, foreground: red, matte: square, options: { ...plainly, shadow } })
    expect(at(clear, 60, 40)).toEqual([220, 30, 20, 255])
    expect(at(clear, 88, 40)).toEqual([0, 0, 0, 102])
    expect(at(clear, 20, 40)).toEqual([0, 0, 0, 0])
  })

  test('laid from nothing on white is the same as made on white', async () => {
    const soft = drawn(120, 80, (x, y) => Math.max(0, 255 - 6 * Math.hypot(x - 60, y - 40)))
    const shadow = { by: 'drop', opacity: 60, spread: 5, distance: 8, direction: 135 } as const
    const clear = await composeCutOut({ source, foreground: red, matte: soft, options: { ...plainly, shadow } })
    const white = await composeCutOut({
      source,
      foreground: red,
      matte: soft,
      options: { ...on({ by: 'colour', colour: '#ffffff' }), shadow },
    })
    for (let place = 0; place < 120 * 80; place++) {
      const alpha = (clear.data[4 * place + 3] ?? 0) / 255
      for (let channel = 0; channel < 3; channel++) {
        const laid = (clear.data[4 * place + channel] ?? 0) * alpha + 255 * (1 - alpha)
        expect(Math.abs(laid - (white.data[3 * place + channel] ?? 0))).toBeLessThanOrEqual(2)
      }
    }
  })
})

describe('the ground', () => {
  const nothing = drawn(120, 80, () => 0)
  const made = (background: Options['background'], backdrop?: Pixels) =>
    composeCutOut({ source, foreground: red, matte: nothing, options: on(background), backdrop })

  test('is a gradient between its colours', async () => {
    const gradient = await made({ by: 'gradient', from: '#ff0000', to: '#0000ff', angle: 90 })
    expect(at(gradient, 0, 0)[0]).toBeGreaterThan(250)
    expect(at(gradient, 119, 79)[2]).toBeGreaterThan(250)
    expect(at(gradient, 60, 0)).toEqual(at(gradient, 60, 79))
    expect(Math.abs((at(gradient, 60, 40)[0] ?? 0) - 127)).toBeLessThanOrEqual(2)
  })

  test('is a picture that fills it or is shown whole on white', async () => {
    const halves = coloured(60, 60, (x) => (x < 30 ? [255, 0, 0] : [0, 255, 0]))
    const covering = await made({ by: 'image', fit: 'cover', x: 50, y: 50, imageBlur: 0 }, halves)
    expect([at(covering, 5, 5), at(covering, 115, 75)]).toEqual([
      [255, 0, 0],
      [0, 255, 0],
    ])
    const whole = await made({ by: 'image', fit: 'contain', x: 0, y: 50, imageBlur: 0 }, halves)
    expect([at(whole, 5, 40), at(whole, 70, 40), at(whole, 100, 40)]).toEqual([
      [255, 0, 0],
      [0, 255, 0],
      [255, 255, 255],
    ])
  })

  test.each([
    ['a strip', 30_000, 1],
    ['a thread', 1, 30_000],
    ['a strip longer than can be counted', 200_000, 1],
    ['a thread longer than can be counted', 1, 300_000],
  ])('is filled by %s, and only what is seen of it is made', async (_, width, height) => {
    const length = Math.max(width, height)
    const line = coloured(width, height, (x, y) => (x + y < length / 2 ? [255, 0, 0] : [0, 255, 0]))
    /** Which half the canvas's first and last pixel show; a pixel as wide as the canvas is soft at both its sides. */
    const shown = async (place: number) => {
      const laid = await made({ by: 'image', fit: 'cover', x: place, y: place, imageBlur: 0 }, line)
      return [at(laid, 0, 0), at(laid, 119, 79)].map(([r = 0, g = 0]) => r > g)
    }
    expect(await shown(0)).toEqual([true, true])
    expect(await shown(50)).toEqual([true, false])
    expect(await shown(100)).toEqual([false, false])
  })

  test('takes a grey backdrop, and one with alpha', async () => {
    const grey: Pixels = { data: Buffer.alloc(100, 77), width: 10, height: 10, channels: 1 }
    const clear: Pixels = { data: Buffer.alloc(400), width: 10, height: 10, channels: 4 }
    const image = { by: 'image', fit: 'cover', x: 50, y: 50, imageBlur: 0 } as const
    expect(at(await made(image, grey), 60, 40)).toEqual([77, 77, 77])
    expect(at(await made(image, clear), 60, 40)).toEqual([255, 255, 255])
  })

  test('is the picture itself, and blurred has nothing of the subject in it', async () => {
    const scene = coloured(120, 80, (x, y) => (x >= 40 && x < 80 && y >= 20 && y < 60 ? [250, 0, 0] : [0, 0, 200]))
    const asked = (originalBlur: number): Composition => ({
      source: scene,
      foreground: scene,
      matte: square,
      options: on({ by: 'original', originalBlur }),
    })
    expect((await composeCutOut(asked(0))).data.equals(scene.data)).toBe(true)
    const blurred = await composeCutOut(asked(100))
    expect(at(blurred, 60, 40)).toEqual([250, 0, 0])
    // Three pixels beside the subject a blur of four would show a fifth of its red.
    for (const x of [37, 82]) expect(at(blurred, x, 40)[0]).toBeLessThanOrEqual(3)
  })

  test('of alpha in the middle of a blurred ground has no black in it', async () => {
    const scene = coloured(120, 80, () => [180, 180, 180])
    const erased = { source: scene, foreground: scene, matte: square, options: on({ by: 'original', originalBlur: 100 }) }
    expect((await composeCutOut(erased)).data.every((value) => Math.abs(value - 180) <= 2)).toBe(true)
  })
})

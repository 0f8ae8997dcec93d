import { describe, expect, test } from 'vitest'
import { photoSamples, randomFrom } from '../fixtures/pictures.ts'
import { chromaOf, chromaSize, decodeChroma, encodeChroma, greyOf, noChroma, type Chroma } from '#shared/effects/colourize/chroma'
import { withHints } from '#shared/effects/colourize/hints'
import { isInColour } from '#shared/effects/colourize/in-colour'
import { chromaStrength, paintChroma, paintReach } from '#shared/effects/colourize/paint'
import { smallGrey } from '#shared/effects/colourize/upsample'
import type { Rgb } from '#shared/effects/effect'
import { labOf } from '#shared/effects/math/lab'
import { applyTo } from '#shared/effects/parts'

const place = (whole: Rgb) => ({ left: 0, top: 0, whole })
const rgb = (data: Uint8Array, width: number, height: number): Rgb => ({ data, width, height })
const greyPhoto = (width: number, height: number): Rgb => {
  const { data } = greyOf(rgb(new Uint8Array(photoSamples(width, height)), width, height))
  return rgb(
    Uint8Array.from({ length: data.length * 3 }, (_, at) => data[Math.floor(at / 3)] ?? 0),
    width,
    height,
  )
}
/** IEC 61966-2-1 and BT.709, written once more: the level of the grey that is as light. */
function lightLevel([red = 0, green = 0, blue = 0]: ArrayLike<number> & Iterable<number>): number {
  const line = (level: number): number => (level <= 0.04045 * 255 ? level / 255 / 12.92 : ((level / 255 + 0.055) / 1.055) ** 2.4)
  const light = 0.212_673 * line(red) + 0.715_152 * line(green) + 0.072_175 * line(blue)
  return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055))
}
const plain = (a: number, b: number, size: { width: number; height: number }): Chroma => {
  const count = size.width * size.height
  return chromaOf(Array(count).fill(a), Array(count).fill(b), size)
}

describe('painting', () => {
  test('keeps the light of every grey to the bit under any chroma', () => {
    const ramp = rgb(
      Uint8Array.from({ length: 256 * 3 }, (_, at) => Math.floor(at / 3)),
      256,
      1,
    )
    for (let a = -128; a < 128; a += 51) {
      for (let b = -128; b < 128; b += 51) {
        const out = paintChroma(ramp, plain(a, b, { width: 256, height: 1 }), 1, place(ramp))
        const levels = Array.from({ length: 256 }, (_, at) => lightLevel(out.subarray(at * 3, at * 3 + 3)))
        expect(levels, `${a} ${b}`).toEqual(Array.from({ length: 256 }, (_, level) => level))
      }
    }
  })

  test('gives a middle grey just the colour that is asked for', () => {
    const grey = rgb(new Uint8Array(3).fill(119), 1, 1)
    const { a, b } = labOf(rgb(paintChroma(grey, plain(30, -20, grey), 1, place(grey)), 1, 1))
    expect(Math.abs((a[0] ?? 0) - 30)).toBeLessThan(1)
    expect(Math.abs((b[0] ?? 0) + 20)).toBeLessThan(1)
  })

  test('is grey at strength 0, and livelier the more there is of it', () => {
    const source = greyPhoto(40, 30)
    const chroma = plain(12, 18, chromaSize(source))
    const chromaAt = (strength: number): number => {
      const { a, b } = labOf(rgb(paintChroma(source, chroma, strength, place(source)), 40, 30))
      return a.reduce((sum, value, at) => sum + Math.hypot(value, b[at] ?? 0), 0)
    }
    expect(paintChroma(source, chroma, 0, place(source))).toEqual(source.data)
    const amounts = [0, 20, 50, 80, 100].map((amount) => chromaAt(chromaStrength({ by: 'manual', amount })))
    expect(amounts).toEqual(amounts.toSorted((left, right) => left - right))
    expect(new Set(amounts).size).toBe(5)
    expect(chromaStrength({ by: 'manual', amount: 50 })).toBe(chromaStrength({ by: 'auto' }))
  })

  test('shows no seam between parts', () => {
    const source = greyPhoto(620, 400)
    const size = chromaSize(source)
    const random = randomFrom(3)
    const chroma = chromaOf(
      Array.from({ length: size.width * size.height }, () => 60 * random() - 30),
      Array.from({ length: size.width * size.height }, () => 60 * random() - 30),
      size,
    )
    const whole = paintChroma(source, chroma, 1, place(source))
    const effect = {
      measure: () => 1,
      reach: () => paintReach(chroma, source),
      apply: (part: Rgb, _: number, at: { left: number; top: number; whole: { width: number; height: number } }) =>
        paintChroma(part, chroma, 1, at),
    }
    for (const part of [
      { left: 0, top: 0, width: 200, height: 120 },
      { left: 201, top: 117, width: 151, height: 93 },
      { left: 440, top: 300, width: 180, height: 100 },
    ]) {
      const { data } = applyTo(effect, source, 1, part)
      let worst = 0
      for (let y = 0; y < part.height; y++) {
        for (let x = 0; x < part.width * 3; x++) {
          const there = whole[((part.top + y) * 620 + part.left) * 3 + x] ?? 0
          worst = Math.max(worst, Math.abs((data[y * part.width * 3 + x] ?? 0) - there))
        }
      }
      expect(worst).toBeLessThanOrEqual(1)
    }
  })

  test('ends a colour where the light ends, finer than the chroma is', () => {
    // Dark left of 803 px, bright right of it: the edge lies inside of a place of the chroma.
    const source = rgb(
      Uint8Array.from({ length: 1600 * 20 * 3 }, (_, at) => (Math.floor(at / 3) % 1600 < 803 ? 60 : 180)),
      1600,
      20,
    )
    const size = chromaSize(source)
    const isLeft = (at: number): boolean => at % size.width < Math.round((803 * size.width) / 1600)
    const count = size.width * size.height
    const chroma = chromaOf(
      Array.from({ length: count }, (_, at) => (isLeft(at) ? 30 : -30)),
      Array(count).fill(0),
      size,
    )
    const { a } = labOf(rgb(paintChroma(source, chroma, 1, place(source)), 1600, 20))
    const middle = 10 * 1600
    expect(a[middle + 798]).toBeGreaterThan(20)
    expect(a[middle + 808]).toBeLessThan(-20)
  })

  test.each([
    [1, 1],
    [3, 2],
    [8, 8],
    [1, 700],
    [700, 1],
  ])('takes %i × %i pixels', (width, height) => {
    const source = greyPhoto(width, height)
    expect(paintChroma(source, plain(20, 20, chromaSize(source)), 1, place(source))).toHaveLength(width * height * 3)
  })
})

describe('a chroma', () => {
  test('is the same after it was a picture', () => {
    const chroma = chromaOf([-128, -1, 0, 127], [127, 5, -7, -128], { width: 2, height: 2 })
    expect(decodeChroma(encodeChroma(chroma))).toEqual(chroma)
    expect([...encodeChroma(chroma).data.subarray(0, 3)]).toEqual([0, 255, 0])
  })

  test('is no larger than the picture, and never more than 512 px', () => {
    expect(chromaSize({ width: 6000, height: 3000 })).toEqual({ width: 512, height: 256 })
    expect(chromaSize({ width: 20, height: 7 })).toEqual({ width: 20, height: 7 })
    expect(chromaSize({ width: 30_000, height: 1 })).toEqual({ width: 512, height: 1 })
  })
})

describe('hints', () => {
  /** Two plain halves, dark and bright. */
  const halves = { data: Uint8Array.from({ length: 120 * 80 }, (_, at) => (at % 120 < 60 ? 80 : 170)), width: 120, height: 80 }
  const red = { colour: '#b04040', size: 0.05, points: [0.15, 0.5, 0.25, 0.5] }
  const blue = { colour: '#4060b0', size: 0.05, points: [0.75, 0.5, 0.85, 0.5] }
  const colourOf = (hex: string): readonly number[] => {
    const { a, b } = labOf(
      rgb(
        Uint8Array.from([1, 3, 5], (at) => Number.parseInt(hex.slice(at, at + 2), 16)),
        1,
        1,
      ),
    )
    return [Math.round(a[0] ?? 0), Math.round(b[0] ?? 0)]
  }
  const at = (chroma: Chroma, x: number, y: number): readonly number[] => [chroma.a[y * 120 + x] ?? 0, chroma.b[y * 120 + x] ?? 0]

  test('are exact under their strokes and fill what is alike, up to the edge', () => {
    const found = withHints(halves, undefined, [red, blue])
    expect(at(found, 24, 40)).toEqual(colourOf(red.colour))
    expect(at(found, 96, 40)).toEqual(colourOf(blue.colour))
    for (const [x, y] of [
      [2, 2],
      [55, 75],
    ] as const) {
      for (const [one, other] of [at(found, x, y), at(found, x + 60, y)].map(
        (seen, side) => [seen, colourOf(side === 0 ? red.colour : blue.colour)] as const,
      )) {
        expect(Math.hypot((one[0] ?? 0) - (other[0] ?? 0), (one[1] ?? 0) - (other[1] ?? 0))).toBeLessThan(3)
      }
    }
  })

  test('leave alone what they do not reach, and change nothing where there are none', () => {
    const before = plain(5, 30, halves)
    expect(withHints(halves, before, [])).toBe(before)
    expect(withHints(halves, before, [{ ...red, points: [1.9, 1.9] }])).toBe(before)
    const found = withHints(halves, before, [red])
    expect(at(found, 24, 40)).toEqual(colourOf(red.colour))
    expect(Math.hypot(...at(found, 100, 40).map((value, index) => value - ([5, 30][index] ?? 0)))).toBeLessThan(2)
  })

  test('take a colour away where they are grey, and the last one counts', () => {
    const found = withHints(halves, plain(5, 30, halves), [red, { ...red, colour: '#808080' }])
    expect(at(found, 24, 40)).toEqual([0, 0])
    expect(Math.hypot(...at(found, 30, 34))).toBeLessThan(12)
  })

  test.each([
    [1, 1],
    [3, 2],
    [1, 60],
  ])('work on %i × %i pixels', (width, height) => {
    const grey = { data: new Uint8Array(width * height).fill(120), width, height }
    const dab = { colour: '#c02020', size: 0, points: [0.5, 0.5] }
    expect(withHints(grey, noChroma(grey), [dab]).a.some((value) => value > 40)).toBe(true)
  })

  test('may cover everything', () => {
    const found = withHints(halves, undefined, [{ colour: '#208020', size: 1, points: [0, 0, 1, 1, 1, 0] }])
    expect(new Set(found.a).size).toBe(1)
  })
})

describe('a picture in colour', () => {
  test('is told from a tinted one and a grey one', () => {
    const [width, height] = [80, 60]
    const grey = greyPhoto(width, height)
    const random = randomFrom(5)
    const sepia = grey.data.map((value, at) => Math.min(255, value * ([1.08, 0.95, 0.74][at % 3] ?? 1) + 6 * random()))
    expect(isInColour(grey)).toBe(false)
    expect(isInColour(rgb(sepia, width, height))).toBe(false)
    const many = grey.data.map((value, at) => value * ((Math.floor(at / 3) % width < 40 ? [1, 0.6, 0.5] : [0.5, 0.8, 1])[at % 3] ?? 1))
    expect(isInColour(rgb(many, width, height))).toBe(true)
  })

  test('keeps its light alone when it is made small', () => {
    const colour = rgb(new Uint8Array(photoSamples(64, 48)), 64, 48)
    const seen = smallGrey(greyOf(colour), { width: 64, height: 48 }).data
    // Where a light lies between two levels, either is right.
    const worst = Array.from(seen, (level, at) => Math.abs(level - lightLevel(colour.data.subarray(at * 3, at * 3 + 3))))
    expect(Math.max(...worst)).toBeLessThanOrEqual(1)
    expect(worst.reduce((sum, value) => sum + value, 0)).toBeLessThan(20)
  })
})

import { describe, expect, test } from 'vitest'
import { drawnPage, pagePhoto, turnedPage } from '../fixtures/pages.ts'
import { photoSamples } from '../fixtures/pictures.ts'
import type { Rgb } from '#shared/effects/effect'
import { applyTo } from '#shared/effects/parts'
import { clean } from '#shared/effects/scan-document/clean'
import { findPage } from '#shared/effects/scan-document/find-page'
import { pageSize, proportionsOf } from '#shared/effects/scan-document/proportions'
import { projected, projectionTo, type Quad } from '#shared/effects/scan-document/quad'
import { skewOf } from '#shared/effects/scan-document/skew'

const page = drawnPage(300, 424)
const corners = [
  [70, 50],
  [380, 84],
  [356, 520],
  [48, 470],
] as const
const photo = pagePhoto(page, 430, 580, corners)
const flat = (width: number, height: number, level: number): Rgb => ({
  data: new Uint8Array(width * height * 3).fill(level),
  width,
  height,
})
const usual = { mode: 'colour', amount: 0.5 } as const

/** A page in uneven light: a shadow over its left lower half. */
const shaded = ((): Rgb => {
  const data = page.data.map((level, at) => {
    const [x, y] = [Math.floor(at / 3) % page.width, Math.floor(at / 3 / page.width)]
    return Math.round(level * (0.9 - 0.4 / (1 + Math.exp((x - y) / 8))))
  })
  return { ...page, data }
})()

const whole = (picture: Rgb) => ({ left: 0, top: 0, width: picture.width, height: picture.height })
function made(picture: Rgb, amount: number, mode: 'colour' | 'grey' | 'mono' = 'colour'): Uint8Array {
  const cleaner = clean.measure(picture, { mode, amount }, {})
  return cleaner ? applyTo(clean, picture, cleaner, whole(picture)).data : picture.data
}
const error = (data: Uint8Array): number =>
  Math.sqrt(data.reduce((sum, level, at) => sum + (level - (page.data[at] ?? 0)) ** 2, 0) / data.length)

describe('the outline of a page', () => {
  test('is found within a hundredth of the diagonal', () => {
    const found = findPage(photo)
    const far = corners.map(([x, y], at) =>
      Math.hypot((found?.quad[at]?.x ?? 9) * photo.width - x, (found?.quad[at]?.y ?? 9) * photo.height - y),
    )
    expect(Math.max(...far)).toBeLessThan(0.01 * Math.hypot(photo.width, photo.height))
  })
  test('is found in no picture without one, and none is too small to be looked at', () => {
    expect(findPage({ data: new Uint8Array(photoSamples(320, 240)), width: 320, height: 240 })).toBeUndefined()
    expect(findPage(page)).toBeUndefined()
    for (const [width, height] of [
      [1, 1],
      [3, 2],
      [8, 8],
      [1, 200],
    ] as const)
      expect(findPage(flat(width, height, 128))).toBeUndefined()
  })
  test('gives back the proportions of the sheet, whatever the camera saw', () => {
    // A sheet of 210×297 before a camera of focal length 1000 that leans two ways.
    const seen = ([u, v]: readonly [number, number]) => {
      const [x, y] = [u * 210, v * 297]
      const [x2, z] = [x * Math.cos(0.4), 900 + x * Math.sin(0.4)]
      const [y2, z2] = [y * Math.cos(0.3) - z * Math.sin(0.3) + 300, y * Math.sin(0.3) + z * Math.cos(0.3)]
      return { x: 600 + (1000 * x2) / z2, y: 800 + (1000 * y2) / z2 }
    }
    const quad: Quad = [seen([-0.5, -0.5]), seen([0.5, -0.5]), seen([0.5, 0.5]), seen([-0.5, 0.5])]
    const camera = { width: 1200, height: 1600 }
    expect(proportionsOf(quad, camera)).toBeCloseTo(210 / 297, 2)
    const size = pageSize(quad, camera)
    expect(size.width / size.height).toBeCloseTo(Math.SQRT1_2, 2)
  })
  test('is the four corners the projection takes a square to', () => {
    const quad: Quad = [
      { x: 3, y: 4 },
      { x: 90, y: 11 },
      { x: 80, y: 120 },
      { x: 9, y: 101 },
    ]
    const ends = (
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ] as const
    ).map(([x, y]) => projected(projectionTo(quad), { x, y }))
    for (const [at, end] of ends.entries()) {
      expect(end.x).toBeCloseTo(quad[at]?.x ?? 0, 6)
      expect(end.y).toBeCloseTo(quad[at]?.y ?? 0, 6)
    }
  })
})

test.each([-10, -3.3, -0.6, 0, 1.7, 8])('a page askew by %d degrees is measured within a fifth of one', (degrees) => {
  expect(Math.abs(skewOf(turnedPage(page, degrees)) - degrees)).toBeLessThan(0.2)
})

test('a picture without lines is not askew', () => {
  expect(skewOf({ data: new Uint8Array(photoSamples(320, 240)), width: 320, height: 240 })).toBe(0)
  expect(skewOf(flat(200, 200, 250))).toBe(0)
})

describe('cleaning', () => {
  test('takes the shadow off, makes paper white and spares the field of red', () => {
    const result = made(shaded, 0.5)
    expect(error(result)).toBeLessThan(error(shaded.data) / 3)
    const at = (x: number, y: number) => [...result.subarray((y * page.width + x) * 3, (y * page.width + x) * 3 + 3)]
    expect(Math.min(...at(12, 410), ...at(290, 12))).toBeGreaterThan(248)
    const [red = 0, green = 0, blue = 0] = at(150, 207)
    expect(red).toBeGreaterThan(165)
    expect(Math.max(green, blue)).toBeLessThan(75)
  })
  test('does nothing at strength 0, and more the stronger it is', () => {
    expect(clean.measure(shaded, { mode: 'colour', amount: 0 }, {})).toBeUndefined()
    const paper = [0, 0.15, 0.3, 0.5, 0.75, 1].map((amount) => {
      const result = made(shaded, amount)
      return result.reduce((sum, level, at) => sum + ((page.data[at] ?? 0) > 250 ? level : 0), 0)
    })
    for (const [at, sum] of paper.entries()) if (at > 0) expect(sum).toBeGreaterThanOrEqual(paper[at - 1] ?? 0)
  })
  test('leaves a clean page and a picture as they are', () => {
    expect(clean.measure(page, usual, {})).toBeUndefined()
    const picture = { data: new Uint8Array(photoSamples(320, 240)), width: 320, height: 240 }
    expect(clean.measure(picture, usual, {})).toBeUndefined()
  })
  test('is black and white in one mode, with letters black and paper white', () => {
    const result = made(shaded, 0.5, 'mono')
    expect(new Set(result)).toEqual(new Set([0, 255]))
    let wrong = 0
    for (let at = 0; at < result.length; at += 3) {
      const level = page.data[at + 1] ?? 0
      if ((level > 200 && result[at] === 0) || (level < 30 && result[at] === 255)) wrong += 1
    }
    expect(wrong).toBeLessThan(0.01 * page.width * page.height)
  })
  test.each(['colour', 'grey', 'mono'] as const)('%s: a part by itself is what the whole has there', (mode) => {
    const cleaner = clean.measure(shaded, { mode, amount: 0.5 }, {})
    if (!cleaner) throw new Error('nothing to be done')
    const all = applyTo(clean, shaded, cleaner, whole(shaded)).data
    for (const part of [
      { left: 0, top: 0, width: 300, height: 40 },
      { left: 33, top: 171, width: 101, height: 90 },
    ]) {
      const own = applyTo(clean, shaded, cleaner, part).data
      const far = own.map((level, at) => {
        const [x, y] = [at % (part.width * 3), Math.floor(at / (part.width * 3))]
        return Math.abs(level - (all[((part.top + y) * shaded.width + part.left) * 3 + x] ?? 0))
      })
      expect(Math.max(...far)).toBeLessThanOrEqual(1)
    }
  })
  test.each([
    [1, 1],
    [3, 2],
    [8, 8],
    [1, 120],
    [120, 1],
  ] as const)('answers for %d×%d, black, grey and white', (width, height) => {
    for (const level of [0, 130, 255])
      for (const mode of ['colour', 'grey', 'mono'] as const)
        expect(made(flat(width, height, level), 0.5, mode)).toHaveLength(width * height * 3)
  })
})

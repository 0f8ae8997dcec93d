import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cropOf, cropRatios, inscribed, largestOfRatio, straightenedArea, turnedCanvas, turnedSize, type CropRequest } from '#shared/crop'
import { planResize } from '#shared/resize'

const start: CropRequest = {
  left: 0,
  top: 0,
  unit: 'px',
  ratio: 'free',
  rotate: '0',
  flip: 'none',
  straighten: 0,
  circle: false,
}
const side = fc.integer({ min: 1, max: 20_000 })
const size = fc.record({ width: side, height: side })
const degrees = fc.integer({ min: -450, max: 450 }).map((tenths) => tenths / 10)
const request = fc.record<CropRequest>({
  left: fc.double({ min: 0, max: 25_000, noNaN: true }),
  top: fc.double({ min: 0, max: 25_000, noNaN: true }),
  width: fc.option(fc.double({ min: 0.01, max: 25_000, noNaN: true }), { nil: undefined }),
  height: fc.option(fc.double({ min: 0.01, max: 25_000, noNaN: true }), { nil: undefined }),
  unit: fc.constantFrom('px', 'percent'),
  ratio: fc.constantFrom('free', 'original', '1:1', '4:3', '3:4', '16:9', '9:16', '3:2', '2:3'),
  rotate: fc.constantFrom('0', '90', '180', '270'),
  flip: fc.constantFrom('none', 'horizontal', 'vertical', 'both'),
  straighten: degrees,
  circle: fc.boolean(),
})

describe('the largest rectangle in a turned picture', () => {
  /** Whether a centred upright rectangle lies within a w×h one turned by an angle: its corners, turned back, are not beyond the sides. */
  const isWithin = (inner: { width: number; height: number }, outer: { width: number; height: number }, angle: number): boolean =>
    [-1, 1].every((sign) => {
      const [x, y] = [inner.width / 2, (sign * inner.height) / 2]
      const back = { x: x * Math.cos(angle) + y * Math.sin(angle), y: y * Math.cos(angle) - x * Math.sin(angle) }
      return Math.abs(back.x) <= outer.width / 2 + 1e-6 && Math.abs(back.y) <= outer.height / 2 + 1e-6
    })

  test('lies within it, and no other is larger', () => {
    fc.assert(
      fc.property(size, degrees, (outer, turn) => {
        const angle = (turn * Math.PI) / 180
        const found = inscribed(outer, turn)
        expect(isWithin(found, outer, angle)).toBe(true)
        const area = found.width * found.height
        // Every width in two hundred steps, each with the greatest height that the turned sides leave.
        const [sine, cosine] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))]
        const widest = Math.min(outer.width / cosine, sine > 0 ? outer.height / sine : Infinity)
        for (let step = 1; step < 200; step++) {
          const width = (widest * step) / 200
          const height = Math.min((outer.height - width * sine) / cosine, sine > 1e-9 ? (outer.width - width * cosine) / sine : Infinity)
          expect(width * Math.max(0, height)).toBeLessThanOrEqual(area * (1 + 1e-6))
        }
      }),
      { seed: 1 },
    )
  })

  test('in whole pixels it lies within both the picture and its canvas', () => {
    fc.assert(
      fc.property(size, degrees, (outer, turn) => {
        const canvas = turnedCanvas(outer, turn)
        const area = straightenedArea(outer, turn)
        expect(Math.min(area.left, area.top)).toBeGreaterThanOrEqual(0)
        expect(area.left + area.width).toBeLessThanOrEqual(canvas.width)
        expect(area.top + area.height).toBeLessThanOrEqual(canvas.height)
        if (area.width > 1 && area.height > 1) expect(isWithin(area, outer, (turn * Math.PI) / 180)).toBe(true)
      }),
      { seed: 2 },
    )
  })
})

describe('a crop', () => {
  test('always lies within the turned picture; without one, nothing of the rectangle does', () => {
    fc.assert(
      fc.property(size, request, (source, asked) => {
        const crop = cropOf(source, asked)
        const { width, height } = turnedSize(source, asked)
        const [x, y] = asked.unit === 'px' ? [1, 1] : [width / 100, height / 100]
        if (!crop) {
          expect(Math.round(asked.left * x) >= width || Math.round(asked.top * y) >= height).toBe(true)
          return
        }
        for (const value of [crop.left, crop.top, crop.width, crop.height]) expect(Number.isInteger(value)).toBe(true)
        expect(crop.left >= 0 && crop.top >= 0 && crop.width >= 1 && crop.height >= 1).toBe(true)
        expect(crop.left + crop.width <= width && crop.top + crop.height <= height).toBe(true)
        if (asked.circle) expect(crop.width).toBe(crop.height)
      }),
      { seed: 3, numRuns: 2000 },
    )
  })

  test('within the picture is taken as it is given, beyond it is cut back and says so', () => {
    const source = { width: 400, height: 300 }
    expect(cropOf(source, { ...start, left: 10, top: 20, width: 30, height: 40 })).toEqual({
      left: 10,
      top: 20,
      width: 30,
      height: 40,
      isAdjusted: false,
    })
    expect(cropOf(source, { ...start, left: 380, top: 20, width: 30, height: 40 })).toEqual({
      left: 380,
      top: 20,
      width: 20,
      height: 40,
      isAdjusted: true,
    })
    expect(cropOf(source, { ...start, left: 400 })).toBeUndefined()
    expect(cropOf(source, { ...start, left: 350, rotate: '90' })).toBeUndefined()
    expect(cropOf(source, { ...start, left: 100, top: 100 })).toMatchObject({ width: 300, height: 200, isAdjusted: false })
  })

  test('in percent is the same part of every size', () => {
    fc.assert(
      fc.property(size, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 50 }), (source, offset, share) => {
        const crop = cropOf(source, { ...start, unit: 'percent', left: offset, top: offset, width: share, height: share })
        if (!crop) return
        expect(Math.abs(crop.left - (source.width * offset) / 100)).toBeLessThanOrEqual(0.5)
        expect(Math.abs(crop.height - (source.height * share) / 100)).toBeLessThanOrEqual(1)
        expect(crop.isAdjusted && source.width > 200 && source.height > 200).toBe(false)
      }),
      { seed: 4 },
    )
  })

  test('of a ratio alone is centred, as large as can be, and of that ratio to a pixel', () => {
    fc.assert(
      fc.property(size, fc.constantFrom(...Object.values(cropRatios)), (source, ratio) => {
        const part = largestOfRatio({ left: 0, top: 0, ...source }, ratio)
        expect(part.width === source.width || part.height === source.height).toBe(true)
        expect(Math.min(Math.abs(part.width - part.height * ratio), Math.abs(part.height - part.width / ratio))).toBeLessThanOrEqual(1)
        expect(Math.abs(source.width - part.width - 2 * part.left)).toBeLessThanOrEqual(1)
        expect(Math.abs(source.height - part.height - 2 * part.top)).toBeLessThanOrEqual(1)
      }),
      { seed: 5 },
    )
    expect(cropOf({ width: 400, height: 300 }, { ...start, ratio: '16:9' })).toMatchObject({ left: 0, top: 37, width: 400, height: 225 })
    expect(cropOf({ width: 400, height: 300 }, { ...start, ratio: '16:9', width: 160 })).toMatchObject({ width: 160, height: 90 })
  })
})

test('a resized picture keeps its proportions, never grows unasked, and meets its box', () => {
  const asked = fc.record({
    width: fc.option(side, { nil: undefined }),
    height: fc.option(side, { nil: undefined }),
    fit: fc.constantFrom('inside' as const, 'cover' as const, 'pad' as const),
    enlarge: fc.boolean(),
  })
  fc.assert(
    fc.property(size, asked, (source, one) => {
      fc.pre(one.width !== undefined || one.height !== undefined)
      const plan = planResize(source, { ...one, keepRatio: true, background: '#ffffff' })
      const part = plan.crop ?? source
      expect(Math.min(plan.width, plan.height)).toBeGreaterThanOrEqual(1)
      if (!one.enlarge) expect(plan.width <= source.width && plan.height <= source.height).toBe(true)
      if (plan.crop) {
        // What is taken has the box's proportions, to half a pixel of the source; a pixel is the least there is.
        const [boxWidth, boxHeight] = [one.width ?? NaN, one.height ?? NaN]
        const scale = Math.max(boxWidth / source.width, boxHeight / source.height)
        expect(Math.abs(part.width - Math.max(1, boxWidth / scale))).toBeLessThanOrEqual(0.5001)
        expect(Math.abs(part.height - Math.max(1, boxHeight / scale))).toBeLessThanOrEqual(0.5001)
      } else if (one.fit !== 'cover') {
        const [long, short] = part.width >= part.height ? (['width', 'height'] as const) : (['height', 'width'] as const)
        const scale = plan[long] / part[long]
        expect(Math.abs(plan[short] - Math.max(1, part[short] * scale))).toBeLessThanOrEqual(1)
      }
      if (one.fit !== 'cover' && one.width !== undefined) expect(plan.width).toBeLessThanOrEqual(Math.max(1, one.width))
      if (one.fit === 'pad' && one.width !== undefined && one.height !== undefined) {
        expect(plan.canvas ?? plan).toMatchObject({ width: one.width, height: one.height })
      }
      if (one.fit === 'cover' && one.enlarge && one.width !== undefined && one.height !== undefined) {
        expect([plan.width, plan.height]).toEqual([one.width, one.height])
      }
    }),
    { seed: 6, numRuns: 2000 },
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gradientLine, placeImage, subjectBox, trimFrame } from '#shared/matte/framing'
import type { Matte } from '#shared/matte/matte'
import type { Rect } from '#shared/resize'

const picture = { width: 60, height: 40 }
/** A matte of 60×40 that is subject in a rectangle. */
const withBox = ({ left, top, width, height }: Rect, alpha = 255): Matte => ({
  ...picture,
  data: Uint8Array.from({ length: 2400 }, (_, at) => {
    const [x, y] = [at % 60, Math.floor(at / 60)]
    return x >= left && x < left + width && y >= top && y < top + height ? alpha : 0
  }),
})
const box = fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 39 })).chain(([left, top]) =>
  fc.record<Rect>({
    left: fc.constant(left),
    top: fc.constant(top),
    width: fc.integer({ min: 1, max: 60 - left }),
    height: fc.integer({ min: 1, max: 40 - top }),
  }),
)

describe('the frame around a subject', () => {
  test('is the box of what can be seen of it', () => {
    fc.assert(
      fc.property(box, (rect) => {
        expect(subjectBox(withBox(rect))).toEqual(rect)
      }),
      { seed: 31 },
    )
    expect(subjectBox(withBox({ left: 3, top: 3, width: 9, height: 9 }, 7))).toBeUndefined()
  })

  test('has the same margin on all sides, beyond the picture too, but none where the subject is cut by its side', () => {
    expect(trimFrame(withBox({ left: 4, top: 10, width: 20, height: 10 }), { margin: 50, isConfined: false })).toEqual({
      left: -6,
      top: 0,
      width: 40,
      height: 30,
    })
    expect(trimFrame(withBox({ left: 0, top: 30, width: 20, height: 10 }), { margin: 10, isConfined: false })).toEqual({
      left: 0,
      top: 28,
      width: 22,
      height: 12,
    })
  })

  test('holds the subject always, and confined it lies in the picture', () => {
    const shadow = fc.record({
      opacity: fc.constant(35),
      spread: fc.integer({ min: 0, max: 20 }),
      distance: fc.integer({ min: 0, max: 20 }),
      direction: fc.integer({ min: 0, max: 360 }),
    })
    fc.assert(
      fc.property(
        box,
        fc.integer({ min: 0, max: 50 }),
        fc.boolean(),
        fc.option(shadow, { nil: undefined }),
        (rect, margin, isConfined, cast) => {
          const frame = trimFrame(withBox(rect), { margin, isConfined, shadow: cast })
          expect(frame.left).toBeLessThanOrEqual(rect.left)
          expect(frame.top).toBeLessThanOrEqual(rect.top)
          expect(frame.left + frame.width).toBeGreaterThanOrEqual(rect.left + rect.width)
          expect(frame.top + frame.height).toBeGreaterThanOrEqual(rect.top + rect.height)
          if (!isConfined) return
          expect(Math.min(frame.left, frame.top)).toBeGreaterThanOrEqual(0)
          expect(frame.left + frame.width).toBeLessThanOrEqual(60)
          expect(frame.top + frame.height).toBeLessThanOrEqual(40)
        },
      ),
      { seed: 32 },
    )
  })

  test('leaves room for a shadow where it falls', () => {
    const shadow = { opacity: 35, spread: 5, distance: 10, direction: 90 }
    const frame = trimFrame(withBox({ left: 20, top: 15, width: 10, height: 10 }), { margin: 0, isConfined: false, shadow })
    // Six pixels to the right and a soft edge of three.
    expect(frame).toEqual({ left: 20, top: 12, width: 19, height: 16 })
  })

  test('is the whole picture where there is no subject', () => {
    expect(trimFrame(withBox({ left: 0, top: 0, width: 0, height: 0 }), { margin: 5, isConfined: false })).toEqual({
      left: 0,
      top: 0,
      ...picture,
    })
  })
})

describe('a background picture', () => {
  const side = fc.integer({ min: 1, max: 5000 })
  const size = fc.record({ width: side, height: side })
  const percent = fc.integer({ min: 0, max: 100 })

  test('leaves nothing bare where it covers, lies inside where it is contained, and keeps its proportions', () => {
    fc.assert(
      fc.property(size, size, percent, percent, fc.constantFrom('cover' as const, 'contain' as const), (canvas, image, x, y, fit) => {
        const placed = placeImage(canvas, image, { fit, x, y })
        const [right, bottom] = [placed.left + placed.width, placed.top + placed.height]
        const inside = fit === 'contain'
        expect(inside ? Math.min(placed.left, placed.top) >= 0 : Math.max(placed.left, placed.top) <= 0).toBe(true)
        expect(inside ? right <= canvas.width && bottom <= canvas.height : right >= canvas.width && bottom >= canvas.height).toBe(true)
        // Within the rounding of either side to whole pixels.
        expect(Math.abs(placed.width * image.height - placed.height * image.width)).toBeLessThanOrEqual(image.width + image.height)
      }),
      { seed: 33 },
    )
  })

  test('is moved as CSS background-position moves it', () => {
    const canvas = { width: 100, height: 100 }
    const wide = { width: 300, height: 100 }
    expect([0, 50, 100].map((x) => placeImage(canvas, wide, { fit: 'cover', x, y: 50 }).left)).toEqual([0, -100, -200])
    expect([0, 50, 100].map((y) => placeImage(canvas, wide, { fit: 'contain', x: 50, y }).top)).toEqual([0, 34, 67])
  })
})

describe('a gradient', () => {
  test('runs upwards at 0, to the right at 90 and downwards at 180 degrees', () => {
    const canvas = { width: 200, height: 100 }
    const line = (angle: number) => Object.values(gradientLine(canvas, angle)).map((place) => Math.round(place) + 0)
    expect(line(0)).toEqual([100, 100, 100, 0])
    expect(line(90)).toEqual([0, 50, 200, 50])
    expect(line(180)).toEqual([100, 0, 100, 100])
  })

  test('has its pure colours in the corners it runs between, as CSS demands', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 0, max: 360 }),
        (width, height, angle) => {
          const { fromX, fromY, toX, toY } = gradientLine({ width, height }, angle)
          const [dx, dy] = [toX - fromX, toY - fromY]
          const shares = [0, width].flatMap((x) => [0, height].map((y) => ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy)))
          expect(Math.min(...shares)).toBeCloseTo(0, 6)
          expect(Math.max(...shares)).toBeCloseTo(1, 6)
        },
      ),
      { seed: 34 },
    )
  })
})

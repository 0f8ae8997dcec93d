import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { centredFrame, enlargement, framePart, headFrame, targetSides } from '#shared/id-photo-crop'

const side = fc.integer({ min: 20, max: 8000 })
const sides = fc.record({ width: side, height: side })
const percent = fc.double({ min: 0, max: 100, noNaN: true })
const ratio = fc.double({ min: 0.4, max: 2, noNaN: true })
const run = { seed: 20_261_121 }

/** Marks from top to bottom, at least a fiftieth of the picture apart. */
const marks = fc
  .tuple(
    fc.double({ min: 0, max: 60, noNaN: true }),
    fc.double({ min: 2, max: 18, noNaN: true }),
    fc.double({ min: 2, max: 18, noNaN: true }),
    percent,
  )
  .map(([crown, toEyes, toChin, centre]) => ({ crown, eyes: crown + toEyes, chin: crown + toEyes + toChin, centre }))
const place = fc.record({ height: fc.double({ min: 0.4, max: 0.75, noNaN: true }), above: fc.double({ min: 0, max: 0.2, noNaN: true }) })

test('a centred frame has the ratio, lies inside and reaches two opposite edges; more is cut below than above', () => {
  fc.assert(
    fc.property(sides, ratio, (picture, wanted) => {
      const { left, top, width, height } = centredFrame({ left: 0, top: 0, ...picture }, wanted)
      expect(width / height).toBeCloseTo(wanted, 6)
      expect(Math.min(picture.width - width, picture.height - height)).toBeCloseTo(0, 6)
      expect(left).toBeCloseTo(picture.width - width - left, 6)
      const below = picture.height - height - top
      expect(top).toBeGreaterThanOrEqual(-1e-9)
      expect(top).toBeLessThanOrEqual(below + 1e-6)
    }),
    run,
  )
})

test('a part in percent lies inside the picture, whatever is asked for', () => {
  fc.assert(
    fc.property(sides, percent, percent, percent, percent, (picture, left, top, width, height) => {
      const part = framePart(picture, { left, top, width, height })
      expect(part.left).toBeGreaterThanOrEqual(0)
      expect(part.top).toBeGreaterThanOrEqual(0)
      expect(part.left + part.width).toBeLessThanOrEqual(picture.width + 1e-6)
      expect(part.top + part.height).toBeLessThanOrEqual(picture.height + 1e-6)
      expect(Math.min(part.width, part.height)).toBeGreaterThanOrEqual(1)
    }),
    run,
  )
})

describe('a head’s frame', () => {
  test('puts crown, chin and the middle of the face where the photo wants them', () => {
    fc.assert(
      fc.property(sides, marks, ratio, place, (picture, head, wanted, where) => {
        const { frame } = headFrame(picture, head, wanted, where)
        const at = (line: number): number => ((line / 100) * picture.height - frame.top) / frame.height
        expect(frame.width / frame.height).toBeCloseTo(wanted, 6)
        expect(at(head.crown)).toBeCloseTo(where.above, 6)
        expect(at(head.chin)).toBeCloseTo(where.above + where.height, 6)
        expect(((head.centre / 100) * picture.width - frame.left) / frame.width).toBeCloseTo(0.5, 6)
      }),
      run,
    )
  })

  test('lifts or lowers the eyes into their range as far as crown and chin stay inside', () => {
    const range = fc.tuple(fc.double({ min: 0.3, max: 0.5, noNaN: true }), fc.double({ min: 0.5, max: 0.8, noNaN: true }))
    fc.assert(
      fc.property(sides, marks, ratio, place, range, (picture, head, wanted, where, eyes) => {
        const { frame } = headFrame(picture, head, wanted, { ...where, eyes })
        const at = (line: number): number => ((line / 100) * picture.height - frame.top) / frame.height
        const aboveEdge = 1 - at(head.eyes)
        const isAtEdge = at(head.crown) < 1e-6 || at(head.chin) > 1 - 1e-6
        expect(at(head.crown)).toBeGreaterThanOrEqual(-1e-6)
        expect(at(head.chin)).toBeLessThanOrEqual(1 + 1e-6)
        expect((aboveEdge >= eyes[0] - 1e-6 && aboveEdge <= eyes[1] + 1e-6) || isAtEdge).toBe(true)
      }),
      run,
    )
  })

  test('is called whole only when no ground shows in the head and the frame cuts nothing of it', () => {
    fc.assert(
      fc.property(sides, marks, fc.double({ min: 0.05, max: 2, noNaN: true }), place, (picture, head, wanted, where) => {
        const { frame, isHeadWhole } = headFrame(picture, head, wanted, where)
        const halfWidth = 0.35 * ((head.chin - head.crown) / 100) * picture.height
        const centre = (head.centre / 100) * picture.width
        const [from, to] = [Math.max(0, frame.left), Math.min(picture.width, frame.left + frame.width)]
        expect(isHeadWhole).toBe(centre - halfWidth >= from - 1e-9 && centre + halfWidth <= to + 1e-9)
      }),
      run,
    )
  })
})

test('a missing side follows from the preset, or else from the source', () => {
  const source = { width: 1200, height: 1600 }
  const preset = { width: 295, height: 413 }
  expect(targetSides({}, preset, source)).toEqual(preset)
  expect(targetSides({}, undefined, source)).toEqual(source)
  expect(targetSides({ width: 590 }, preset, source)).toEqual({ width: 590, height: 826 })
  expect(targetSides({ height: 400 }, undefined, source)).toEqual({ width: 300, height: 400 })
  expect(targetSides({ width: 50, height: 60 }, preset, source)).toEqual({ width: 50, height: 60 })
})

test('enlargement is that of the side that grows most', () => {
  expect(enlargement({ width: 100, height: 200 }, { width: 150, height: 600 })).toBe(3)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { facePoints, headMatte } from '../fixtures/drawn-faces.ts'
import { headLines, headOf, tiltOf, turnedPoint } from '#engine/image/head-lines'

const picture = { width: 600, height: 800 }
const face = { x: 300, eyes: 300, chin: 420 }

describe('the lines of a head', () => {
  test('lie at the eyes, the chin and the middle, with the crown by the face’s proportions', () => {
    const lines = headLines(facePoints(face), picture, 0)
    expect(lines).toMatchObject({ eyes: 300, chin: 420, centre: 300, tilt: 0 })
    expect(lines.crown).toBeGreaterThan(300 - 1.5 * 120)
    expect(lines.crown).toBeLessThan(300 - 1.1 * 120)
  })

  test('have the crown where the matte’s hair ends, not where a hair sticks out, an arm is raised, or the picture ends', () => {
    expect(headLines(facePoints(face), picture, 0, headMatte(picture, { ...face, crown: 130 })).crown).toBeCloseTo(130, -1)
    expect(headLines(facePoints(face), picture, 0, headMatte(picture, { ...face, crown: 160, hair: 60 })).crown).toBeCloseTo(160, -1)
    expect(headLines(facePoints(face), picture, 0, headMatte(picture, { ...face, crown: 0 })).crown).toBeGreaterThanOrEqual(300 - 1.9 * 120)
    const high = { x: 300, eyes: 100, chin: 220 }
    expect(headLines(facePoints(high), picture, 0).crown).toBe(0)
  })

  test('of a head that leans are those of the same head upright', () => {
    fc.assert(
      fc.property(fc.double({ min: 2.5, max: 29, noNaN: true }), fc.boolean(), (degrees, isLeft) => {
        const lean = isLeft ? -degrees : degrees
        const points = facePoints(face).map((point) => turnedPoint(point, picture, lean))
        expect(tiltOf(points)).toBeCloseTo(lean, 0)
        const lines = headLines(points, picture, lean)
        expect(lines.eyes).toBeCloseTo(300)
        expect(lines.chin).toBeCloseTo(420)
        expect(lines.centre).toBeCloseTo(300)
      }),
    )
    expect(tiltOf(facePoints(face).map((point) => turnedPoint(point, picture, 1.5)))).toBe(0)
    expect(tiltOf(facePoints(face).map((point) => turnedPoint(point, picture, 44)))).toBe(30)
  })

  test('are shown in percent, in their order, never outside of the picture', () => {
    expect(headOf({ crown: 80, eyes: 300, chin: 420, centre: 300, tilt: 3.2 }, picture)).toEqual({
      crown: 10,
      eyes: 37.5,
      chin: 52.5,
      centre: 50,
      tilt: 3.2,
    })
    expect(headOf({ crown: -5, eyes: 700, chin: 900, centre: 700, tilt: 0 }, picture)).toMatchObject({ crown: 0, chin: 100, centre: 100 })
  })
})

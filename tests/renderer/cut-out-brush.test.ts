import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstBrush, placeOf, simplify, sizeAfter, sizeAt, strokesOf } from '#renderer/stage/brush'
import { paintStrokes } from '#shared/matte/paint'
import { MAX_POINTS, type Stroke } from '#shared/strokes'
import { parseOptions } from '#shared/tools/index'

const picture = { width: 4000, height: 3000 }
const walk = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })), {
  minLength: 1,
  maxLength: 40,
})
const plain = (stroke: Stroke): Uint8Array =>
  paintStrokes({ data: new Uint8Array(200 * 150), width: 200, height: 150 }, [{ ...stroke, mode: 'keep' }]).data

describe('a brush', () => {
  test('goes through its sizes by steps one sees alike, to and fro', () => {
    for (const place of [0, 1, 37, 100]) expect(placeOf(sizeAt(place))).toBe(place)
    expect(sizeAt(60) / sizeAt(50)).toBeCloseTo(sizeAt(20) / sizeAt(10), 10)
    expect(sizeAfter(sizeAfter(0.05, 3), -3)).toBeCloseTo(0.05, 10)
    expect(sizeAfter(0.3, 50)).toBe(sizeAt(100))
    expect(sizeAfter(0.3, -50)).toBe(sizeAt(0))
  })

  test('makes strokes that pass as options and paint what the hand drew, with fewer points', () => {
    fc.assert(
      fc.property(walk, (points) => {
        const drawn = points.flat()
        const strokes = strokesOf({ ...firstBrush, size: 0.1 }, drawn, picture)
        expect(parseOptions('cut-out', { strokes }).strokes).toEqual(strokes)
        expect(strokes.flatMap((stroke) => stroke.points).length).toBeLessThanOrEqual(drawn.length)
        const [whole, ...more] = strokes
        if (!whole || more.length > 0) throw new Error('not one stroke')
        const asDrawn = plain({ ...firstBrush, size: 0.1, points: drawn })
        // Between core and rim a tolerance of a fiftieth of the brush may change the strength by a fifth.
        expect(plain(whole).every((value, n) => Math.abs(value - (asDrawn[n] ?? NaN)) <= 60)).toBe(true)
      }),
      { seed: 1, numRuns: 60 },
    )
  })

  test('leaves a straight line its ends, and a corner its corner', () => {
    const line = Array.from({ length: 50 }, (_, n) => [n / 49, 0.5]).flat()
    expect(simplify(line, picture, 0.001)).toEqual([0, 0.5, 1, 0.5])
    expect(simplify([0, 0, 0.25, 0, 0.5, 0, 0.5, 0.5], picture, 0.001)).toEqual([0, 0, 0.5, 0, 0.5, 0.5])
    expect(simplify([0.3, 0.4], picture, 0.001)).toEqual([0.3, 0.4])
  })

  test('goes on as another stroke, from where it was, when it has too many points', () => {
    const zigzag = Array.from({ length: MAX_POINTS + 500 }, (_, n) => [n / (MAX_POINTS + 500), n % 2]).flat()
    const [first, second, ...more] = strokesOf(firstBrush, zigzag, picture)
    expect(more).toEqual([])
    expect(first?.points.length).toBe(2 * MAX_POINTS)
    expect(second?.points.slice(0, 2)).toEqual(first?.points.slice(-2))
    expect(second?.points.at(-1)).toBe(1)
  })

  test('stays within what a stroke may leave the picture by', () => {
    const [stroke] = strokesOf(firstBrush, [-40, 0.5, 40, 0.5], picture)
    expect(stroke?.points).toEqual([-1, 0.5, 2, 0.5])
  })
})

import { describe, expect, test } from 'vitest'
import { aroundFace, grownWhereCut, padded, possibleBox, underFace } from '#engine/ai/closer'
import { raised, resampled, stretched, type SoftMap } from '#engine/ai/soft-map'

/** A map of nothing but one block of a value. */
function block(width: number, height: number, box: { left: number; top: number; width: number; height: number }, value = 1): SoftMap {
  const data = new Float32Array(width * height)
  for (let y = box.top; y < box.top + box.height; y++) data.fill(value, y * width + box.left, y * width + box.left + box.width)
  return { data, width, height }
}

describe('the part to look at from closer by', () => {
  test('is where the subject may lie, with ground around it, inside the picture', () => {
    const box = { left: 60, top: 10, width: 40, height: 50 }
    expect(possibleBox(block(100, 80, box, 0.3))).toEqual(box)
    expect(padded(box, { width: 100, height: 80 })).toEqual({ left: 54, top: 4, width: 46, height: 62 })
  })

  test('is none where there is hardly anything', () => {
    expect(possibleBox(block(100, 80, { left: 60, top: 10, width: 40, height: 50 }, 0.2))).toBeUndefined()
  })

  test('around a face is head and shoulders, inside the picture', () => {
    const face = { left: 100, top: 100, width: 50, height: 60 }
    expect(aroundFace(face, { width: 1000, height: 1000 })).toEqual({ left: 35, top: 52, width: 180, height: 258 })
    expect(aroundFace(face, { width: 160, height: 200 })).toEqual({ left: 35, top: 52, width: 125, height: 148 })
  })

  test('under a face is the chest, where the picture shows enough of it', () => {
    const face = { left: 100, top: 100, width: 50, height: 60 }
    expect(underFace(face, { width: 1000, height: 1000 })).toEqual({ left: 105, top: 169, width: 40, height: 51 })
    expect(underFace(face, { width: 1000, height: 190 })).toEqual({ left: 105, top: 169, width: 40, height: 21 })
    expect(underFace(face, { width: 1000, height: 180 })).toBeUndefined()
    expect(underFace(face, { width: 120, height: 1000 })).toBeUndefined()
  })

  test('grows to the sides on which the subject is cut, but not beyond the picture', () => {
    const part = { left: 20, top: 40, width: 40, height: 60 }
    const picture = { width: 70, height: 100 }
    const reaching = (left: number, top: number, width: number, height: number): SoftMap => block(40, 60, { left, top, width, height })
    expect(grownWhereCut(reaching(5, 5, 30, 50), part, picture)).toEqual(part)
    expect(grownWhereCut(reaching(5, 0, 30, 50), part, picture)).toEqual({ left: 20, top: 10, width: 40, height: 90 })
    expect(grownWhereCut(reaching(0, 5, 40, 55), part, picture)).toEqual({ left: 0, top: 40, width: 70, height: 60 })
  })
})

describe('a soft map', () => {
  test('is raised only where it half sees a subject itself, and never lowered', () => {
    const map = { data: Float32Array.of(0, 0.05, 0.4, 0.6, 0.9), width: 5, height: 1 }
    const other = { ...map, data: Float32Array.of(1, 1, 1, 0.8, 0.2) }
    const expected = [0, 0.05, 0.7, 0.7, 0.9]
    raised(map, other, 0.5).data.forEach((value, at) => expect(value).toBeCloseTo(expected[at] ?? NaN, 5))
  })

  test('brought to another size keeps its slopes smooth and its range', () => {
    const edge = block(16, 4, { left: 8, top: 0, width: 8, height: 4 })
    const large = resampled(edge, 160, 40)
    expect([large.width, large.height]).toEqual([160, 40])
    const row = [...large.data.subarray(160 * 20, 160 * 21)]
    expect(Math.min(...row)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...row)).toBeLessThanOrEqual(1)
    const steps = row.slice(1).map((value, at) => Math.abs(value - (row[at] ?? 0)))
    expect(Math.max(...steps)).toBeLessThan(0.2)
    expect(row[79]).toBeCloseTo(1 - (row[80] ?? 0), 5)
  })

  test('brought to a smaller size keeps its mean', () => {
    const small = resampled(block(64, 64, { left: 16, top: 16, width: 32, height: 32 }), 8, 8)
    expect(small.data.reduce((sum, value) => sum + value, 0) / 64).toBeCloseTo(0.25, 1)
  })

  test('is stretched to its full range, and left alone when it has none', () => {
    expect([...stretched({ data: Float32Array.of(0.25, 0.5, 0.75), width: 3, height: 1 }).data]).toEqual([0, 0.5, 1])
    expect([...stretched({ data: Float32Array.of(0.5, 0.5), width: 2, height: 1 }).data]).toEqual([0.5, 0.5])
  })
})

import { describe, expect, test } from 'vitest'
import type { Matte } from '#shared/matte/matte'
import { dropShadow } from '#shared/matte/shadow'

const side = 400
/** A square subject of 80 pixels in the middle. */
const square: Matte = {
  width: side,
  height: side,
  data: Uint8Array.from({ length: side * side }, (_, at) =>
    Math.abs((at % side) - 199.5) < 40 && Math.abs(Math.floor(at / side) - 199.5) < 40 ? 255 : 0,
  ),
}

/** How much there is of a matte, where its middle lies, and the variance across. */
function moments({ data, width }: Matte) {
  let [sum, x, y, xx] = [0, 0, 0, 0]
  data.forEach((alpha, at) => {
    sum += alpha
    x += alpha * (at % width)
    y += alpha * Math.floor(at / width)
    xx += alpha * (at % width) ** 2
  })
  return { sum, x: x / sum, y: y / sum, variance: xx / sum - (x / sum) ** 2 }
}

describe('a drop shadow', () => {
  test('without spread and distance is the subject, as strong as its opacity', () => {
    const shadow = dropShadow(square, { opacity: 40, spread: 0, distance: 0, direction: 135 }, side)
    expect(shadow.data.every((alpha, at) => alpha === (square.data[at] === 255 ? 102 : 0))).toBe(true)
  })

  test.each([
    [0, 0, -20],
    [90, 20, 0],
    [135, 14.14, 14.14],
    [180, 0, 20],
    [270, -20, 0],
  ])('falls to %i degrees clockwise from the top', (direction, right, down) => {
    const { x, y } = moments(dropShadow(square, { opacity: 50, spread: 4, distance: 5, direction }, side))
    expect(x - 199.5).toBeCloseTo(right, 0)
    expect(y - 199.5).toBeCloseTo(down, 0)
  })

  test.each([0.5, 2, 8, 15])('is as soft as a Gaussian of half its spread of %f %', (spread) => {
    const before = moments(square)
    const after = moments(dropShadow(square, { opacity: 100, spread, distance: 0, direction: 0 }, side))
    const sigma = (spread / 200) * side
    expect(after.sum / before.sum).toBeCloseTo(1, 1)
    expect(Math.sqrt(after.variance - before.variance) / sigma).toBeGreaterThan(0.9)
    expect(Math.sqrt(after.variance - before.variance) / sigma).toBeLessThan(1.1)
  })

  test('of a part of a picture is the same part of its shadow', () => {
    const shadow = { opacity: 60, spread: 3, distance: 4, direction: 200 }
    const [left, top, width, height] = [90, 80, 230, 240]
    const part = { width, height, data: new Uint8Array(width * height) }
    for (let y = 0; y < height; y++)
      part.data.set(square.data.subarray((top + y) * side + left, (top + y) * side + left + width), y * width)
    const [whole, cut] = [dropShadow(square, shadow, side), dropShadow(part, shadow, side)]
    for (let y = 0; y < height; y += 7) {
      for (let x = 0; x < width; x += 7) {
        expect(Math.abs((cut.data[y * width + x] ?? 0) - (whole.data[(top + y) * side + left + x] ?? 0))).toBeLessThanOrEqual(2)
      }
    }
  })
})

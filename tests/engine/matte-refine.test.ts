import { expect, test } from 'vitest'
import { composite, defocused, modelled } from '../fixtures/composites.ts'
import { widened } from '#engine/image/frames'
import type { Pixels } from '#engine/image/pixels'
import { refineMatte } from '#engine/matte/refine'
import type { Matte } from '#shared/matte/matte'

const drawn = (width: number, height: number, alphaAt: (x: number, y: number) => number): Matte => ({
  data: Uint8Array.from({ length: width * height }, (_, at) => alphaAt(at % width, Math.floor(at / width))),
  width,
  height,
})
/** A picture that shows as much as its matte does: white subject before black. */
const shown = ({ data, width, height }: Matte): Pixels => ({
  data: Buffer.from(data.map((alpha) => (alpha > 127 ? 255 : 0))),
  width,
  height,
  channels: 1,
})
const inBox = (x: number, y: number, left: number, top: number, side: number): boolean =>
  x >= left && x < left + side && y >= top && y < top + side
const at = ({ data, width }: Matte, x: number, y: number): number => data[y * width + x] ?? 0

/** The mean square error over the pixels within a few of where the truth is mixed. */
function edgeError(truth: Matte, matte: Matte): number {
  const reach = 8
  let [sum, count] = [0, 0]
  for (let y = reach; y < truth.height - reach; y++) {
    for (let x = reach; x < truth.width - reach; x++) {
      const around = [
        [0, 0],
        [-reach, 0],
        [reach, 0],
        [0, -reach],
        [0, reach],
      ].map(([dx = 0, dy = 0]) => at(truth, x + dx, y + dy))
      if (Math.max(...around) === Math.min(...around)) continue
      sum += ((at(matte, x, y) - at(truth, x, y)) / 255) ** 2
      count++
    }
  }
  return sum / count
}

test.each([160, 320, 640])('takes a quarter and more of the error from the edges of a model of %i pixels', async (inputPx) => {
  for (const seed of [1, 2, 3]) {
    const { alpha, picture } = await composite(900, 700, seed)
    const raw = await modelled(alpha, inputPx)
    expect(edgeError(alpha, refineMatte(picture, raw, 'person')) / edgeError(alpha, raw)).toBeLessThan(0.75)
  }
})

test.each([8, 16])('leaves edges soft that are out of focus by %i pixels', async (sigma) => {
  for (const seed of [1, 2]) {
    const { alpha, picture } = await defocused(await composite(900, 700, seed), sigma)
    const refined = refineMatte(picture, await modelled(alpha, 320), 'person')
    expect(edgeError(alpha, refined)).toBeLessThan(5e-4)
  }
})

test('leaves alone what the model was sure of', async () => {
  const { alpha, picture } = await composite(600, 500, 4)
  const raw = await modelled(alpha, 320)
  const fine = refineMatte(picture, raw, 'general')
  const sure = fine.data.map((value, place) => {
    const before = raw.data[place] ?? 0
    return before > 6 && before < 249 ? 0 : before < 8 ? value : Math.abs(value - before)
  })
  // A part may still go as a whole, but this subject is one. What lies deep in it may become surer.
  expect(sure.every((difference) => difference <= 12)).toBe(true)
})

test('is the same for a picture whatever its channels', async () => {
  const { alpha } = await composite(300, 240, 1)
  const raw = await modelled(alpha, 100)
  const grey = shown(alpha)
  const first = refineMatte(grey, raw, 'general').data
  for (const channels of [2, 3, 4] as const) expect(refineMatte(widened(grey, channels), raw, 'general').data).toEqual(first)
})

/** A large part, one close to it, a small one far away, one of a third far away, and a speck. */
const islands = drawn(600, 400, (x, y) =>
  inBox(x, y, 50, 100, 150) ||
  inBox(x, y, 204, 150, 20) ||
  inBox(x, y, 500, 50, 40) ||
  inBox(x, y, 400, 250, 100) ||
  inBox(x, y, 320, 20, 4)
    ? 255
    : 0,
)
const parts = (matte: Matte): boolean[] =>
  [
    [100, 150],
    [210, 160],
    [520, 70],
    [450, 300],
    [321, 22],
  ].map(([x = 0, y = 0]) => at(matte, x, y) > 200)

test('keeps the parts that a kind of subject has', () => {
  const picture = shown(islands)
  expect(parts(refineMatte(picture, islands, 'general'))).toEqual([true, true, false, true, false])
  expect(parts(refineMatte(picture, islands, 'goods'))).toEqual([true, false, true, true, false])
  expect(parts(refineMatte(picture, islands, 'person'))).toEqual([true, true, false, true, false])
})

test('keeps the persons whose faces are seen, however large others are', () => {
  const face = { left: 505, top: 52, width: 20, height: 20 }
  expect(parts(refineMatte(shown(islands), islands, 'person', [face]))).toEqual([false, false, true, false, false])
  // A face where the model saw nobody says nothing.
  expect(parts(refineMatte(shown(islands), islands, 'person', [{ ...face, left: 300, top: 380 }]))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ])
})

test('makes solid what lies deep in a subject, and leaves holes and soft things as they are', () => {
  const unsure = drawn(400, 400, (x, y) => {
    if (!inBox(x, y, 60, 60, 340)) return 0
    if (inBox(x, y, 150, 150, 60)) return 0
    if (inBox(x, y, 300, 120, 12)) return 90
    return inBox(x, y, 250, 250, 150) ? 170 : 255
  })
  const solid = refineMatte(shown(drawn(400, 400, (x, y) => (at(unsure, x, y) > 80 ? 255 : 0))), unsure, 'person')
  expect(at(solid, 399, 399)).toBe(255)
  expect(at(solid, 330, 330)).toBe(255)
  expect(at(solid, 305, 126)).toBe(255)
  expect(at(solid, 180, 180)).toBe(0)
  const veil = drawn(400, 400, (x, y) => (inBox(x, y, 60, 60, 200) ? 100 : 0))
  expect(at(refineMatte(shown(drawn(400, 400, () => 100)), veil, 'general'), 160, 160)).toBeLessThan(128)
})

test.each([
  [1, 1],
  [3, 2000],
  [5000, 1],
])('takes pictures of %i×%i', (width, height) => {
  for (const alpha of [0, 100, 255]) {
    const matte = drawn(width, height, () => alpha)
    const { data } = refineMatte(shown(matte), matte, 'general')
    expect(data.length).toBe(width * height)
    if (alpha !== 100) expect(data).toEqual(matte.data)
  }
})

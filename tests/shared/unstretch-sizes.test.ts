import { describe, expect, test } from 'vitest'
import { facePoints } from '../fixtures/drawn-faces.ts'
import { randomFrom } from '../fixtures/pictures.ts'
import { jobView } from '#shared/api/jobs'
import { faceClue } from '#shared/effects/unstretch/face-clue'
import { rememberedStretches } from '#shared/effects/unstretch/known-sizes'
import { stretchOf, type Clues } from '#shared/effects/unstretch/stretch'

const wide = (ratio: number) => ({ width: Math.round(1200 * ratio), height: 1200 })
const seen = (ratio: number, stretch: number, more: Partial<Clues> = {}): Clues => ({
  size: wide(ratio),
  ellipses: [],
  faces: [{ stretch, deviation: 0.06 }],
  ...more,
})
const remembered = (ratio: number, original: number) => ({ remembered: rememberedStretches(wide(ratio), [wide(original)]) })

describe('usual proportions', () => {
  test.each([
    ['4:3', 4 / 3, 1.25],
    ['3:2', 3 / 2, 0.8],
    ['16:9', 16 / 9, 0.75],
    ['1:1', 1, 1.3],
    ['3:4', 3 / 4, 0.8],
    ['a phone, upright', 9 / 19.5, 1.4],
  ])('make a face’s word exact: %s', (_, original, times) => {
    for (const off of [-0.02, 0.02])
      expect(Math.abs((stretchOf(seen(original * times, Math.log(times) + off))?.times ?? 1) / times - 1)).toBeLessThan(0.015)
  })

  test('are no reason by themselves, whatever a picture’s proportions', () => {
    for (let ratio = 0.4; ratio < 2.5; ratio += 0.05) expect(stretchOf({ size: wide(ratio), ellipses: [], faces: [] })).toBeUndefined()
  })

  test('do not stretch a picture of others in which a face looks as it should, or nearly', () => {
    for (const ratio of [0.6, 0.87, 1.1, 1.18, 1.37, 1.43, 1.65, 1.9])
      for (const face of [-0.06, 0, 0.06]) expect(stretchOf(seen(ratio, face))).toBeUndefined()
  })

  test('leave what others had to the face', () => {
    const random = randomFrom(4)
    for (let round = 0; round < 40; round++) {
      const [original, times] = [Math.exp(random() - 0.5), random() < 0.5 ? 0.7 : 1.4]
      const found = stretchOf(seen(original * times, Math.log(times)))
      expect(Math.abs(Math.log((found?.times ?? 1) / times))).toBeLessThan(0.13)
    }
  })
})

describe('a remembered size', () => {
  test('wins where a face says about the same, and is surer with it', () => {
    for (const face of [0.12, 0.21, 0.27]) {
      const found = stretchOf(seen(1.66, face, remembered(1.66, 1.37)))
      expect((found?.times ?? 1) / (1.66 / 1.37)).toBeCloseTo(1, 2)
      expect(found?.by).toBe('sight')
    }
    expect(stretchOf(seen(1.66, 0.19, remembered(1.66, 1.37)))?.isSure).toBe(true)
    expect(stretchOf(seen(1.66, 0.19))?.isSure).toBe(false)
    const alone = stretchOf({ ...seen(1.66, 0), faces: [], ...remembered(1.66, 1.37) })
    expect((alone?.times ?? 1) / (1.66 / 1.37)).toBeCloseTo(1, 2)
    expect(alone).toMatchObject({ isSure: false, by: 'file' })
  })

  test('is that of a crop where a face or a circle looks as it should', () => {
    expect(stretchOf(seen(16 / 9, 0.02, remembered(16 / 9, 4 / 3)))).toBeUndefined()
    const circles = [100, 300, 500].map((x) => ({ x, y: x, a: 50, b: 50, seen: 0.95 }))
    expect(stretchOf({ ...seen(1.2, 0, remembered(1.2, 1.5)), faces: [], ellipses: circles })).toBeUndefined()
  })

  test('of which there are two is chosen between by a face', () => {
    const two = { remembered: rememberedStretches(wide(1.75), [wide(1.4), wide(1.1)]) }
    expect((stretchOf(seen(1.75, Math.log(1.75 / 1.1), two))?.times ?? 1) / (1.75 / 1.1)).toBeCloseTo(1, 2)
    expect((stretchOf(seen(1.75, Math.log(1.75 / 1.4), two))?.times ?? 1) / (1.75 / 1.4)).toBeCloseTo(1, 2)
  })

  test('of the picture’s own proportions says nothing, as it lies or turned', () => {
    expect(rememberedStretches(wide(1.5), [wide(1.5), wide(1 / 1.5), wide(1.51)])).toEqual([])
    const [first] = rememberedStretches(wide(1.5), [wide(1.2), wide(1.2)])
    expect(first?.share).toBeCloseTo(0.8)
  })
})

describe('a thumbnail', () => {
  const size = wide(1.6)
  const thumbnail = { stretch: Math.log(1.2), deviation: 0.005 }

  test('counts for more than a face that says otherwise', () => {
    expect(stretchOf({ ...seen(1.6, 0), thumbnail })?.times).toBeCloseTo(1.2, 2)
    expect(stretchOf({ size, ellipses: [], faces: [], thumbnail })).toMatchObject({ isSure: true, by: 'file' })
  })

  test('that has the picture’s proportions may have been made anew: two faces and traces of a stretching count for more', () => {
    const anew = { thumbnail: { stretch: 0, deviation: 0.005 } }
    const faces = [0.28, 0.3].map((stretch) => ({ stretch, deviation: 0.06 }))
    expect((stretchOf({ ...seen(16 / 9, 0), faces, ...anew })?.times ?? 1) / (4 / 3)).toBeCloseTo(1, 2)
    expect(stretchOf({ ...seen(16 / 9, 0.08), ...anew })).toBeUndefined()
  })
})

test('what a file alone says goes over the wire as that', () => {
  const note = { kind: 'guessed', by: 'file' }
  const view = { id: '1', change: 1, tool: 'unstretch', state: 'done', ahead: 0, progress: 1, inputs: [], outputs: [], note, createdAt: '' }
  expect(jobView.parse(view).note).toEqual(note)
})

test('a small face tells less than a large one, and as much too wide', () => {
  // The drawn face has no width of mouth, nose and brows.
  const moved = new Map([17, 26, 31, 35, 48, 54].map((at, place) => [at, { x: place % 2 === 0 ? -30 : 30, y: at < 27 ? -45 : 0 }]))
  const points = facePoints({ x: 200, eyes: 200, chin: 300 }).map(({ x, y }, at) => ({
    x: x + (moved.get(at)?.x ?? 0),
    y: y + (moved.get(at)?.y ?? 0),
  }))
  const [large, small] = [1, 0.1].map((scale) => faceClue(points.map(({ x, y }) => ({ x: x * scale, y: y * scale }))))
  expect(small?.stretch).toBeCloseTo(large?.stretch ?? NaN, 6)
  expect(small?.deviation).toBeGreaterThan(0.15)
  expect(large?.deviation).toBeLessThan(0.1)
})

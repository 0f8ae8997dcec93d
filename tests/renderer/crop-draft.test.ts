import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changed, draftOf, flipped, isCropSet, optionsOf, resetDraft, turned, typedBox, type CropDraft } from '#renderer/tools/crop-draft'
import { cropOf, turnedSize, type CropRequest, type Turning } from '#shared/crop'
import { parseOptions } from '#shared/tools/index'

type Grid = readonly (readonly number[])[]

const gridOf = (width: number, height: number): Grid =>
  Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => y * width + x))
const clockwise = (grid: Grid): Grid => (grid[0] ?? []).map((_, x) => grid.map((row) => row[x] ?? NaN).toReversed())
const mirrored = (grid: Grid): Grid => grid.map((row) => row.toReversed())
const upsideDown = (grid: Grid): Grid => grid.toReversed()

/** What is seen of a picture, pixel by pixel: quarters clockwise, then mirrored, as the tool says. */
function seen(grid: Grid, { rotate, flip }: Turning): Grid {
  let result = grid
  for (let quarter = 0; quarter < Number(rotate) / 90; quarter++) result = clockwise(result)
  if (flip === 'horizontal' || flip === 'both') result = mirrored(result)
  return flip === 'vertical' || flip === 'both' ? upsideDown(result) : result
}

const kept = (grid: Grid, draft: CropDraft): Grid => {
  const { left, top, width, height } = draft.box
  return seen(grid, draft)
    .slice(top, top + height)
    .map((row) => row.slice(left, left + width))
}

const source = fc.record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
const steps = fc.array(fc.constantFrom('left' as const, 'right' as const, 'horizontal' as const, 'vertical' as const), { maxLength: 6 })
const part = fc.tuple(fc.nat(8), fc.nat(8), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))

describe('a crop in the making', () => {
  test('turns and mirrors what is seen, its box with it, however often', () => {
    fc.assert(
      fc.property(source, part, steps, (size, [left, top, width, height], todo) => {
        const grid = gridOf(size.width, size.height)
        let draft = draftOf(size, { left, top, width, height })
        let shown = kept(grid, draft)
        for (const step of todo) {
          draft = step === 'left' || step === 'right' ? turned(size, draft, step) : flipped(size, draft, step)
          if (step === 'left') shown = clockwise(clockwise(clockwise(shown)))
          if (step === 'right') shown = clockwise(shown)
          if (step === 'horizontal') shown = mirrored(shown)
          if (step === 'vertical') shown = upsideDown(shown)
          expect(kept(grid, draft)).toEqual(shown)
        }
      }),
      { seed: 1 },
    )
  })

  test('says options that pass and cut out just its box, in pixels and in percent', () => {
    const turning = fc.record({ straighten: fc.integer({ min: -450, max: 450 }).map((tenths) => tenths / 10), circle: fc.boolean() })
    const large = fc.record({ width: fc.integer({ min: 1, max: 6000 }), height: fc.integer({ min: 1, max: 6000 }) })
    fc.assert(
      fc.property(
        large,
        turning,
        fc.nat(100),
        fc.nat(100),
        fc.constantFrom('px' as const, 'percent' as const),
        (size, tilt, x, y, unit) => {
          const whole = changed(size, turned(size, resetDraft(size), 'right'), tilt)
          const picture = turnedSize(size, whole)
          const bounds = { picture, leastSide: 1, ratio: tilt.circle ? 1 : undefined }
          const box = typedBox(whole.box, 'left', Math.floor((picture.width * x) / 101), bounds)
          const draft = { ...whole, box: typedBox(box, 'width', 1 + Math.floor((picture.width * y) / 101), bounds) }
          // In percent the rounding of either side may make of a square one that is a pixel off; the circle then takes the shorter.
          const off = unit === 'percent' && tilt.circle ? 1 : 0
          const options: CropRequest = parseOptions('crop-image', optionsOf(size, draft, unit))
          const crop = cropOf(size, options)
          expect(Math.abs((crop?.width ?? NaN) - draft.box.width)).toBeLessThanOrEqual(off)
          expect(Math.abs((crop?.left ?? NaN) - draft.box.left)).toBeLessThanOrEqual(off)
          expect(Math.abs((crop?.top ?? NaN) - draft.box.top)).toBeLessThanOrEqual(off)
        },
      ),
      { seed: 2 },
    )
  })

  test('left alone says nothing of sides, so that it means all of any picture', () => {
    const size = { width: 400, height: 300 }
    expect(isCropSet(optionsOf(size, resetDraft(size), 'percent'))).toBe(false)
    const square = optionsOf(size, changed(size, resetDraft(size), { ratio: '1:1' }), 'percent')
    expect(isCropSet(square)).toBe(true)
    expect(cropOf({ width: 1000, height: 200 }, parseOptions('crop-image', square))).toMatchObject({ left: 400, width: 200, height: 200 })
  })

  test('typed numbers give way at the edge and keep proportions', () => {
    const picture = { width: 400, height: 300 }
    const box = { left: 100, top: 100, width: 200, height: 150 }
    expect(typedBox(box, 'left', 350, { picture, leastSide: 1 })).toEqual({ left: 350, top: 100, width: 50, height: 150 })
    expect(typedBox(box, 'width', 160, { picture, leastSide: 1, ratio: 16 / 9 })).toEqual({ left: 100, top: 100, width: 160, height: 90 })
    expect(typedBox(box, 'height', 300, { picture, leastSide: 1, ratio: 1 })).toEqual({ left: 100, top: 100, width: 200, height: 200 })
  })
})

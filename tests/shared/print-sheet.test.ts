import fc from 'fast-check'
import { expect, test } from 'vitest'
import { papers, sheetLayout, type PaperId } from '#shared/print-sheet'

test.each<[PaperId, number, number, number]>([
  // Counted by hand: 20 px between copies, 36 px around them.
  ['five-inch', 295, 413, 9],
  ['six-inch', 295, 413, 12],
  ['a4', 295, 413, 50],
  ['five-inch', 413, 626, 4],
  ['six-inch', 413, 626, 4],
  ['a4', 413, 626, 25],
  ['five-inch', 413, 531, 4],
  ['six-inch', 413, 531, 8],
  ['five-inch', 1050, 1499, 1],
])('%s paper holds of %i×%i: %i', (paper, width, height, count) => {
  expect(sheetLayout(paper, { width, height })?.places).toHaveLength(count)
})

test('copies lie on the paper, in the middle, apart from each other', () => {
  const ids = fc.constantFrom<PaperId>('five-inch', 'six-inch', 'a4')
  fc.assert(
    fc.property(ids, fc.integer({ min: 100, max: 1400 }), fc.integer({ min: 100, max: 1800 }), (paper, width, height) => {
      const layout = sheetLayout(paper, { width, height })
      const { width: short, height: long } = papers[paper]
      if (!layout) {
        expect(Math.min(width, height) > short || Math.max(width, height) > long).toBe(true)
        return
      }
      expect([layout.width, layout.height].toSorted((one, other) => one - other)).toEqual([short, long])
      const [lefts, tops] = [layout.places.map(({ left }) => left), layout.places.map(({ top }) => top)]
      const [left, top] = [Math.min(...lefts), Math.min(...tops)]
      expect(Math.abs(layout.width - Math.max(...lefts) - width - left)).toBeLessThanOrEqual(1)
      expect(Math.abs(layout.height - Math.max(...tops) - height - top)).toBeLessThanOrEqual(1)
      const isRoomy = (across: number, down: number): boolean => width + 72 <= across && height + 72 <= down
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(isRoomy(short, long) || isRoomy(long, short) ? 36 : 0)
      layout.places.forEach((one, index) => {
        for (const other of layout.places.slice(index + 1)) {
          const isApart = Math.abs(one.left - other.left) >= width + 20 || Math.abs(one.top - other.top) >= height + 20
          expect(isApart).toBe(true)
        }
      })
    }),
    { seed: 20_261_121 },
  )
})

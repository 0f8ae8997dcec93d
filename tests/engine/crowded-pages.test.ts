import { expect, test } from 'vitest'
import { readingOrder } from '#engine/document/reading-order'
import { drawnTables } from '#engine/document/tables/drawn-tables'
import { clippedBy, pageClip } from '#engine/pdf/clip'
import { rectangle, type Outline } from '#engine/pdf/outline'
import type { Rule } from '#engine/pdf/page-model'

const page = (rules: readonly Rule[]) => ({ number: 1, width: 600, height: 800, glyphs: [], rules, fills: [], images: [] })

test('a drawing of 50,000 strokes ends, and is no table', () => {
  let seed = 1
  const next = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  const rules = Array.from({ length: 50_000 }, (): Rule => {
    const from = next() * 600
    return { isHorizontal: next() < 0.5, from, to: from + 5 + next() * 40, at: next() * 800, width: 0.5, colour: '#000000' }
  })
  expect(drawnTables(page(rules), [])).toEqual([])
})

test('of 20,000 clips within one another a page tells a few, and the bounds of all', () => {
  const leaning: Outline = [0, 0, 0, 1, 600, 0, 1, 590, 800, 1, 0, 800, 4]
  let clip = pageClip(600, 800)
  for (let n = 1; n <= 20_000; n++) clip = clippedBy(clippedBy(clip, leaning, false), rectangle([0, 0, 400 - n / 100, 500]), false)
  expect(clip.shapes.length).toBeLessThan(100)
  expect(clip.within).toEqual([0, 0, 200, 500])
})

const columns = Array.from({ length: 12 }, (_, row) =>
  [50, 320].map((left) => {
    const [right, base] = [left + 220, 58 + 14 * row]
    return {
      left,
      right,
      top: base - 8,
      bottom: base + 2,
      piece: { left, right, base, size: 10, text: '文字在两栏里'.repeat(5), letters: [] },
    }
  }),
).flat()

test('columns are looked for as long as a page may take, and then rows are read', () => {
  expect(readingOrder(columns)).toMatchObject([{ columns: [{ length: 12 }, { length: 12 }] }])
  expect(readingOrder(columns, { left: 0 })).toHaveLength(12)
})

import { expect, test } from 'vitest'
import { drawnTables } from '#engine/document/tables/drawn-tables'
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

import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { densityOf, make } from '../fixtures/id-photo.ts'
import { colourAt, type Seen } from '../fixtures/oracle.ts'

const blue = await sharp({ create: { width: 600, height: 840, channels: 3, background: '#203080' } })
  .png()
  .toBuffer()

describe('a sheet', () => {
  /** Runs of dark blue (the copies) along a row or column of a white sheet. */
  function runs(seen: Seen, length: number, at: (step: number) => readonly [number, number]): { from: number; to: number }[] {
    const isInk = [...Array(length).keys()].map((step) => (colourAt(seen, ...at(step))[0] ?? 0) < 100)
    const starts = isInk.flatMap((ink, index) => (ink && !isInk[index - 1] ? [index] : []))
    return starts.map((from) => ({ from, to: isInk.findIndex((ink, index) => index > from && !ink) }))
  }

  test.each([
    ['five-inch', 1050, 1500, 3, 3],
    ['six-inch', 1200, 1800, 3, 4],
    ['a4', 3508, 2480, 10, 5],
  ] as const)('of one-inch photos on %s: %i×%i px, %i across, %i down, 300 dpi', async (sheet, width, height, across, down) => {
    const { output, bytes, seen } = await make(blue, { preset: 'one-inch', sheet })
    expect([seen.width, seen.height, output.name]).toEqual([width, height, '张三-排版.jpg'])
    expect(densityOf(bytes)).toBe('300×300 dpi')
    const columns = runs(seen, width, (x) => [x, Math.round(height / 2) - (down % 2 === 0 ? 100 : 0)])
    const rows = runs(seen, height, (y) => [Math.round(width / 2) - (across % 2 === 0 ? 100 : 0), y])
    expect([columns.length, rows.length]).toEqual([across, down])
    for (const { from, to } of columns) expect(to - from).toBe(295)
    for (const { from, to } of rows) expect(to - from).toBe(413)
    for (const [index, { to }] of columns.slice(0, -1).entries()) expect((columns[index + 1]?.from ?? 0) - to).toBe(20)
    const [left, top] = [columns[0]?.from ?? 0, rows[0]?.from ?? 0]
    expect(Math.abs(width - (columns.at(-1)?.to ?? 0) - left)).toBeLessThanOrEqual(1)
    // Cut marks stand in the margins at every edge of a copy, and nowhere else.
    const isMarked = (x: number, y: number): boolean => (colourAt(seen, x, y)[0] ?? 255) < 150
    for (const y of [top - 20, (rows.at(-1)?.to ?? 0) + 20]) {
      const found = [...Array(width).keys()].filter((x) => isMarked(x, y) && !isMarked(x - 1, y)).map((x) => x + 1)
      expect(found).toEqual(columns.flatMap(({ from, to }) => [from, to]))
    }
    for (const x of [left - 20, (columns.at(-1)?.to ?? 0) + 20]) {
      const found = [...Array(height).keys()].filter((y) => isMarked(x, y) && !isMarked(x, y - 1)).map((y) => y + 1)
      expect(found).toEqual(rows.flatMap(({ from, to }) => [from, to]))
    }
    expect([top - 3, top - 33].map((y) => isMarked(left, y))).toEqual([false, false])
  })

  test('keeps millimetres: a photo of 350 dpi is laid out at 300', async () => {
    const { seen } = await make(blue, { preset: 'id-card', sheet: 'six-inch' })
    const [first] = runs(seen, seen.width, (x) => [x, Math.round(seen.height / 2) - 100])
    // 26 mm are 307 px at 300 dpi.
    expect((first?.to ?? 0) - (first?.from ?? 0)).toBe(307)
  })

  test('smaller than its photo is refused; one just as large holds it', async () => {
    const large = { preset: 'custom', width: 1300, height: 1700, sheet: 'five-inch' }
    await expect(make(blue, large)).rejects.toMatchObject({ code: 'options.sheet-too-small' })
    expect((await make(blue, { preset: 'five-inch', sheet: 'five-inch' })).seen).toMatchObject({ width: 1050, height: 1500 })
  })
})

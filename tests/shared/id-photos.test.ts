import { describe, expect, test } from 'vitest'
import { byteWindow, idPhotoOf, idPhotos, type IdPhoto } from '#shared/id-photos'

const all: [string, IdPhoto][] = Object.entries(idPhotos)

describe.each(all)('%s', (_id, { name, widthPx, heightPx, dpi, mm, minKb, maxKb, head, source, updatedOn }) => {
  test('has the pixels its millimetres give, or says that only pixels are prescribed', () => {
    if (!mm) expect(source).toContain('只规定像素')
    const [width, height] = mm ?? [(widthPx * 25.4) / dpi, (heightPx * 25.4) / dpi]
    // One pixel: 五寸 is 1499 px high by convention, 127 mm are 1500.
    expect(Math.abs((width / 25.4) * dpi - widthPx)).toBeLessThanOrEqual(1)
    expect(Math.abs((height / 25.4) * dpi - heightPx)).toBeLessThanOrEqual(1)
  })

  test('has sane figures, a name, a source and a day', () => {
    for (const side of [widthPx, heightPx]) expect(Number.isInteger(side) && side >= 100 && side <= 2000).toBe(true)
    expect(widthPx / heightPx).toBeGreaterThan(0.6)
    expect(widthPx / heightPx).toBeLessThanOrEqual(1)
    expect([300, 350]).toContain(dpi)
    expect(minKb ?? 1).toBeGreaterThan(0)
    expect(maxKb ?? Infinity).toBeGreaterThan((minKb ?? 0) * 1.1)
    expect(name).toMatch(/[\u4e00-\u9fff]/)
    expect(source.length).toBeGreaterThan(3)
    expect(new Date(updatedOn).toISOString().slice(0, 10)).toBe(updatedOn)
  })

  test('leaves room for a whole head with its eyes where the rule wants them', () => {
    expect(head.height).toBeGreaterThan(0.5)
    expect(head.height + head.above).toBeLessThan(0.9)
    // Eyes lie about in the middle between crown and chin.
    const eyes = 1 - head.above - head.height / 2
    const [lowest, highest] = head.eyes ?? [0, 1]
    expect(eyes).toBeGreaterThanOrEqual(lowest)
    expect(eyes).toBeLessThanOrEqual(highest)
  })
})

test('ids and names are each other’s only ones; an id never goes', () => {
  expect(new Set(all.map(([, { name }]) => name)).size).toBe(all.length)
  // Lines are added here, never removed.
  const promised =
    `one-inch small-one-inch large-one-inch two-inch two-inch-lab small-two-inch five-inch id-card residence-permit social-security-card driving-licence passport
    postgraduate-exam computer-rank-exam college-english-test civil-service-exam junior-accountant teacher-certificate teacher-exam nurse-exam constructor-exam
    us-visa japan-visa japan-visa-square korea-visa schengen-visa`.split(/\s+/)
  expect(Object.keys(idPhotos)).toEqual(expect.arrayContaining(promised))
})

test('a word that names no preset names none', () => {
  for (const word of ['none', 'custom', 'toString', '__proto__']) expect(idPhotoOf(word)).toBeUndefined()
  expect(idPhotoOf('passport')?.widthPx).toBe(390)
})

describe('a window in bytes', () => {
  test('satisfies sites that count 1000 bytes to a KB and sites that count 1024', () => {
    expect(byteWindow({ minKb: 20, maxKb: 200 }, {})).toEqual({ minBytes: 20 * 1024, limitBytes: 200_000 })
    expect(byteWindow({ minKb: 10 }, {})).toEqual({ minBytes: 10_240, limitBytes: undefined })
    expect(byteWindow({}, {})).toEqual({ minBytes: 0, limitBytes: undefined })
  })

  test('takes what a person asks for, the preset giving way', () => {
    expect(byteWindow({ minKb: 100, maxKb: 200 }, { maxKb: 50 })).toEqual({ minBytes: 0, limitBytes: 50_000 })
    expect(byteWindow({ minKb: 20, maxKb: 200 }, { maxKb: 50 })).toEqual({ minBytes: 20_480, limitBytes: 50_000 })
    expect(byteWindow({ minKb: 20, maxKb: 45 }, { minKb: 60 })).toEqual({ minBytes: 61_440, limitBytes: undefined })
  })

  test('too narrow for both ways of counting, is counted in thousands', () => {
    expect(byteWindow({}, { minKb: 99, maxKb: 100 })).toEqual({ minBytes: 99_000, limitBytes: 100_000 })
  })
})

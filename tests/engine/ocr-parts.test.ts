import { describe, expect, test } from 'vitest'
import { stateOf } from '#engine/ai/installed'
import { ocrModels } from '#engine/ai/ocr-models'
import { cropped, turnedBitmap, type Bitmap, type Quad } from '#engine/ocr/bitmap'
import { textBoxes } from '#engine/ocr/boxes'
import { confidenceOf, decodeCtc } from '#engine/ocr/ctc'
import { spelled } from '#engine/ocr/line-text'
import { rulingsOf } from '#engine/ocr/rulings'
import { isGarbled, isScan } from '#engine/ocr/text-layer'
import { skewOf } from '#engine/ocr/upright'
import type { Glyph, PageModel } from '#engine/pdf/page-model'

/** A map whose pixels are sure of text inside of leaning boxes. */
function mapOf(boxes: readonly Quad[], sureness = 0.9, width = 400, height = 200) {
  const data = new Float32Array(width * height)
  for (const { x, y, width: wide, height: high, angle } of boxes)
    for (let at = 0; at < data.length; at++) {
      const [dx, dy] = [(at % width) + 0.5 - x, Math.floor(at / width) + 0.5 - y]
      const [u, v] = [dx * Math.cos(angle) + dy * Math.sin(angle), dy * Math.cos(angle) - dx * Math.sin(angle)]
      if (Math.abs(u) <= wide / 2 && Math.abs(v) <= high / 2) data[at] = sureness
    }
  return { data, width, height }
}

const level: Quad = { x: 200, y: 60, width: 300, height: 10, angle: 0 }

describe('boxes of lines', () => {
  test('lie around what the detector saw, larger by area over perimeter', () => {
    const [box, ...others] = textBoxes(mapOf([level]))
    expect(others).toEqual([])
    const grown = (300 * 10 * 1.5) / (2 * 310)
    for (const [key, value] of Object.entries({ x: 200, y: 60, width: 300 + 2 * grown, height: 10 + 2 * grown, angle: 0 }))
      expect(Math.abs(Number(box?.[key as keyof Quad]) - value)).toBeLessThan(0.6) // keys of the box itself
  })

  test('lean with their lines', () => {
    const [box] = textBoxes(mapOf([{ ...level, y: 100, angle: 0.1 }]))
    expect(box?.angle).toBeCloseTo(0.1, 2)
    expect(box?.width).toBeCloseTo(315, -1)
  })

  test('are as many as there are lines; what is unsure or a speck is none', () => {
    expect(textBoxes(mapOf([level, { ...level, y: 100 }, { ...level, y: 150, width: 2, height: 2 }]))).toHaveLength(2)
    expect(textBoxes(mapOf([level], 0.5))).toEqual([])
  })

  test('tell a page’s skew by its long lines', () => {
    const short = { ...level, width: 20, height: 20, angle: 0.6 }
    expect(skewOf([{ ...level, angle: 0.02 }, { ...level, angle: 0.021 }, { ...level, angle: 0.2, width: 60 }, short, short])).toBe(0.021)
    expect(skewOf([short])).toBe(0)
  })
})

test('CTC: repeated steps are one letter, a blank between two makes them two', () => {
  const steps = [1, 1, 0, 1, 2, 2, 0, 0]
  const answer = new Float32Array(steps.length * 3)
  for (const [step, best] of steps.entries()) answer[step * 3 + best] = 0.8
  const read = decodeCtc(answer, steps.length, ['中', '文'], 1)
  expect(read.map(({ text }) => text).join('')).toBe('中中文')
  expect(read.map(({ at }) => at * 8)).toEqual([1, 3.5, 5])
  expect(confidenceOf(read)).toBeCloseTo(0.8)
  // Half of the steps saw padding: places are parts of the line alone.
  expect(decodeCtc(answer, steps.length, ['中', '文'], 0.75)[2]?.at).toBeCloseTo(5 / 6)
})

/** Letters of size 10 with gaps between them where `_` stands. */
const lettersOf = (text: string) => {
  const letters: { text: string; left: number; right: number }[] = []
  let at = 0
  for (const one of text) {
    if (one !== '_') letters.push({ text: one, left: at, right: at + 5 })
    at += one === '_' ? 3 : 5.5
  }
  return letters
}
test.each([
  ['Hello_world', 'Hello world'],
  ['a_big_cat', 'a big cat'],
  ['1_1', '11'],
  ['中文,标点:是的?', '中文，标点：是的？'],
  ['第3条(修订),共1,000元', '第3条（修订），共1,000元'],
  ['f(x),_y:_z', 'f(x), y: z'],
  ['使用_Word_文件', '使用Word文件'],
])('%s is spelled %s', (read, spelling) => {
  expect(
    spelled(lettersOf(read), 10)
      .map(({ text }) => text)
      .join(''),
  ).toBe(spelling)
})

test('rules are told from strokes of letters, short sides of a low row included', () => {
  const [width, height] = [400, 300]
  const grey = new Uint8Array(width * height).fill(240)
  const fill = (left: number, top: number, right: number, bottom: number) => {
    for (let y = top; y < bottom; y++) grey.fill(60, y * width + left, y * width + right)
  }
  fill(50, 100, 350, 102)
  fill(50, 140, 350, 142)
  fill(50, 100, 52, 142)
  fill(348, 100, 350, 142)
  fill(60, 200, 90, 203) // a dash
  fill(100, 220, 300, 260) // an area
  const found = rulingsOf({ grey, width, height }, [], 200)
  expect(found.map(({ isHorizontal, from, to, at, width: wide }) => [isHorizontal, from, to, at, Math.round(wide)])).toEqual([
    [true, 52, 348, 101, 2],
    [true, 52, 348, 141, 2],
    [false, 102, 140, 51, 2],
    [false, 102, 140, 349, 2],
  ])
})

test('a crop is level however its box leans; quarters turn a page', () => {
  const bitmap: Bitmap = { data: new Uint8Array(40 * 40 * 4).fill(255), width: 40, height: 40 }
  bitmap.data.fill(0, (20 * 40 + 10) * 4, (20 * 40 + 30) * 4)
  const crop = cropped(bitmap, { x: 20, y: 20.5, width: 20, height: 3, angle: 0 }, { width: 20, height: 3 })
  expect([0, 1, 2].map((row) => crop.data[row * 80 + 40])).toEqual([255, 0, 255])
  const turned = turnedBitmap(bitmap, 1)
  expect([10, 29].map((y) => turned.data[(y * 40 + 19) * 4])).toEqual([0, 0])
  expect(turnedBitmap(turned, 3).data).toEqual(bitmap.data)
})

test('pages without a text layer, and with one that can’t be read, are known', () => {
  const glyph = (text: string) => ({ text }) as Glyph // nothing else of a glyph is looked at
  const page = (text: string, right = 595, garbled = 0): PageModel => ({
    garbled,
    number: 1,
    width: 595,
    height: 842,
    glyphs: Array.from(text, glyph),
    rules: [],
    fills: [],
    images: [{ left: 0, top: 0, right, bottom: 842 }],
  })
  expect([isScan(page('')), isScan(page('- 1 -')), isScan(page('', 200)), isScan(page('一页有文字层的扫描件不必识别'))]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect([isGarbled(page('一页文字', 0, 0.05)), isGarbled(page('一页文字', 0, 0.5))]).toEqual([false, true])
})

test('every part of the shipped set is what the list says', async () => {
  const shipped = ocrModels.filter(({ tier }) => tier === 'default')
  expect(await Promise.all(shipped.map((model) => stateOf(model, undefined)))).toEqual(['shipped', 'shipped', 'shipped'])
})

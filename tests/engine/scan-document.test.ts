import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { drawnPage, pagePhoto, turnedPage } from '../fixtures/pages.ts'
import { photo } from '../fixtures/pictures.ts'
import { runAndRead, sidesOf } from '../fixtures/run-and-read.ts'
import type { Rgb } from '#shared/effects/effect'

const page = drawnPage(300, 424)
const file = ({ data, width, height }: Rgb) => sharp(data, { raw: { width, height, channels: 3 } })
const shot = await file(
  pagePhoto(page, 430, 580, [
    [70, 50],
    [380, 84],
    [356, 520],
    [48, 470],
  ]),
)
  .jpeg({ quality: 92 })
  .toBuffer()

describe('a photo of a page', () => {
  test('comes out as a flat white page in the proportions of A4, as the file it was', async () => {
    const { output, bytes } = await runAndRead('scan-document', shot, {}, '合同.jpg')
    expect(output).toMatchObject({ format: 'jpeg', name: '合同.jpg' })
    const [width = 0, height = 0] = sidesOf(output)
    expect(height / width).toBeCloseTo(Math.SQRT2, 1)
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) =>
      data.subarray(Math.round(y * info.height) * info.width * 3 + Math.round(x * info.width) * 3).subarray(0, 3)
    for (const [x, y] of [
      [0.03, 0.03],
      [0.96, 0.04],
      [0.04, 0.96],
      [0.95, 0.95],
    ] as const)
      expect(Math.min(...at(x, y))).toBeGreaterThan(240)
    const [red = 0, green = 0] = at(0.5, 0.49)
    expect(red - green).toBeGreaterThan(100)
  })

  test('becomes a PNG of two tones in black and white, a PDF where that is asked for', async () => {
    const mono = await runAndRead('scan-document', shot, { mode: 'mono' }, '合同.jpg')
    expect(mono.output.format).toBe('png')
    const { data } = await sharp(mono.bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
    expect([...new Set(data)].toSorted()).toEqual([0, 255])
    await using folder = await testFolder()
    const [pdf] = await runTool('scan-document', folder.path, shot, { format: 'pdf' })
    expect(pdf).toMatchObject({ format: 'pdf' })
  })

  test('is cut where its corners are said to be, and not at all where that is not wanted', async () => {
    const corners = { by: 'manual', x1: 0.25, y1: 0.25, x2: 0.75, y2: 0.25, x3: 0.75, y3: 0.75, x4: 0.25, y4: 0.75 }
    const cut = await runAndRead('scan-document', shot, { corners, straighten: false })
    expect(sidesOf(cut.seen)).toEqual([215, 290])
    const kept = await runAndRead('scan-document', shot, { crop: false, straighten: false })
    expect(sidesOf(kept.seen)).toEqual([430, 580])
  })

  test('with corners that hold nothing is refused', async () => {
    const corners = { by: 'manual', x1: 1, y1: 0, x2: 0, y2: 0, x3: 1, y3: 1, x4: 0, y4: 1 }
    await expect(runAndRead('scan-document', shot, { corners })).rejects.toMatchObject({ code: 'scan.corners' })
  })
})

test('a page askew is turned back, with room for all of it', async () => {
  const { seen } = await runAndRead('scan-document', await file(turnedPage(page, 5)).png().toBuffer(), {})
  const [width = 0, height = 0] = sidesOf(seen)
  expect(width).toBeGreaterThan(330)
  expect(height).toBeGreaterThan(440)
})

test('a clean page and a picture that shows none come back byte for byte', async () => {
  for (const source of [await file(page).png().toBuffer(), await photo(320, 240).png().toBuffer()]) {
    const { bytes, output } = await runAndRead('scan-document', source, {})
    expect(bytes.equals(source)).toBe(true)
    expect(output.note).toEqual({ kind: 'unchanged' })
  }
})

test('transparency goes with the page', async () => {
  const clear = await sharp(shot).ensureAlpha(0.5).png().toBuffer()
  const { bytes } = await runAndRead('scan-document', clear, {})
  const { channels, data } = await sharp(bytes)
    .raw()
    .toBuffer({ resolveWithObject: true })
    .then(({ data: samples, info }) => ({ channels: info.channels, data: samples }))
  expect(channels).toBe(4)
  expect(Math.abs((data[(data.length >> 3) * 4 + 3] ?? 0) - 128)).toBeLessThan(3)
})

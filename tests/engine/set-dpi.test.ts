import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { bmpFile } from '../fixtures/bitmaps.ts'
import { densityOf } from '../fixtures/density.ts'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { orientedJpeg, photo, photoSamples } from '../fixtures/pictures.ts'
import { greyPage, tiffOf } from '../fixtures/tiff.ts'
import { writeBmp } from '#engine/codecs/bmp/write-bmp'
import { messageOf, toWire } from '#shared/errors/app-error'
import { parseOptions } from '#shared/tools/index'

const sources = {
  jpeg: await photo(90, 60).jpeg().toBuffer(),
  png: await photo(90, 60).png().toBuffer(),
  webp: await photo(90, 60).webp().toBuffer(),
  tiff: await photo(90, 60).tiff().toBuffer(),
} as const

test.each(Object.entries(sources))('a %s is printed at 300 dpi, whatever it is called', async (format, source) => {
  await using folder = await testFolder()
  const [output] = await runTool('set-dpi', folder.path, source, {}, '证件照.bin')
  const bytes = await readFile(output.path)
  expect(output).toMatchObject({ format, width: 90, height: 60, bytes: bytes.length })
  expect(output.name).toMatch(/^证件照\.(jpg|png|webp|tif)$/)
  expect(await densityOf(bytes)).toBe(300)
  expect((await sharp(bytes).raw().toBuffer()).equals(await sharp(source).raw().toBuffer())).toBe(true)
})

test('a BMP is printed at 600 dpi', async () => {
  await using folder = await testFolder()
  const source = writeBmp({ data: photoSamples(9, 7), width: 9, height: 7, channels: 3 })
  const [output] = await runTool('set-dpi', folder.path, source, { dpi: 600 }, 'a.bmp')
  expect((await readFile(output.path)).readInt32LE(38)).toBe(23_622)
})

test('a picture on its side stays on its side, and its upright sides are told', async () => {
  await using folder = await testFolder()
  const [output] = await runTool('set-dpi', folder.path, await orientedJpeg(6), { dpi: 72 }, 'a.jpeg')
  expect(output).toMatchObject({ name: 'a.jpeg', width: 90, height: 60 })
  expect(await sharp(output.path).metadata()).toMatchObject({ orientation: 6, width: 60, height: 90 })
})

describe('what can not be done is said', () => {
  const codeOf = async (source: Buffer): Promise<string> => {
    await using folder = await testFolder()
    try {
      await runTool('set-dpi', folder.path, source, {})
      return 'done'
    } catch (thrown) {
      return toWire(thrown).code
    }
  }

  test.each(['gif', 'avif'] as const)('a %s has no density', async (format) => {
    expect(await codeOf(await photo(20, 20).toFormat(format).toBuffer())).toBe('format.no-density')
  })

  test('what is no picture is refused, with the formats that are taken', async () => {
    await using folder = await testFolder()
    for (const text of ['PK\u0003\u0004\u0014\0\0\0\0\0aaaaaaaaaaaa', '%PDF-1.4\n1 0 obj', '<svg xmlns="http://www.w3.org/2000/svg"/>']) {
      await expect(runTool('set-dpi', folder.path, Buffer.from(text, 'latin1'), {})).rejects.toMatchObject({
        code: 'file.unsupported',
        data: { formats: 'JPG、PNG、WebP、TIFF、BMP' },
      })
    }
  })

  test('an OS/2 BMP has none either; the words say what to do', async () => {
    expect(await codeOf(bmpFile({ width: 1, height: 1, bits: 24, headerBytes: 12, samples: Buffer.alloc(4) }))).toBe('format.no-density')
    expect(messageOf({ code: 'format.no-density', data: { format: 'GIF' } })).toContain('请先转换为 JPG 或 PNG')
  })

  test.each(Object.entries(sources))('a %s that is cut is not handed on as a good one', async (_format, source) => {
    for (const share of [0.4, 0.7, 0.95])
      expect(await codeOf(source.subarray(0, Math.floor(source.length * share)))).toBe('file.unreadable')
  })

  test('a TIFF whose second page is broken', async () => {
    const page = greyPage(40, 30, Buffer.alloc(1200, 9))
    const broken = tiffOf([page, greyPage(40, 30, Buffer.alloc(100))], { order: 'II' })
    expect(await codeOf(tiffOf([page, page], { order: 'II' }))).toBe('done')
    expect(await codeOf(broken)).toBe('file.unreadable')
  })

  test.each([0, 2401, 299.5, '300', Number.NaN])('%s dpi', (dpi) => {
    expect(() => parseOptions('set-dpi', { dpi })).toThrow(expect.objectContaining({ code: 'options.out-of-range' }))
  })
})

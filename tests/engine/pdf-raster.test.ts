import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { drawn, encrypted, pdfOf, type DrawnPage } from '../fixtures/pdfs.ts'
import { openDrawable, type Drawable, type Drawn } from '#engine/pdf/raster'
import { AppError } from '#shared/errors/app-error'

async function withFile<T>(bytes: Buffer, use: (path: string) => Promise<T>): Promise<T> {
  await using folder = await testFolder()
  const path = join(folder.path, 'a.pdf')
  await writeFile(path, bytes)
  return await use(path)
}

const withDrawable = <T>(bytes: Buffer, use: (pdf: Drawable) => T, password?: string): Promise<T> =>
  withFile(bytes, async (path) => {
    const pdf = await openDrawable(path, password)
    try {
      return use(pdf)
    } finally {
      pdf.close()
    }
  })

const pixel = ({ data, width }: Drawn, x: number, y: number): number[] => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
const hasInk = ({ data }: Drawn): boolean => data.some((value, at) => at % 4 === 0 && value < 100)

const BLUE = [0, 0, 255, 255]
/** Blue, 100 by 100 points, its left top corner 50 and 42 points from the page's. */
const SQUARE: DrawnPage = { content: '0 0 1 rg 50 700 100 100 re f' }

test('a page is drawn at the dpi asked for, red first', () =>
  withDrawable(pdfOf([SQUARE]), (pdf) => {
    expect(pdf.pages).toBe(1)
    expect(pdf.size(1)).toEqual({ width: 595, height: 842 })
    const page = pdf.draw(1, { dpi: 144 })
    expect(page).toMatchObject({ width: 1190, height: 1684, dpi: 144 })
    expect(pixel(page, 110, 94)).toEqual(BLUE)
    expect(pixel(page, 90, 94)).toEqual([255, 255, 255, 255])
  }))

test('a region is counted from the left top corner as it is seen, on turned pages too', () =>
  withDrawable(pdfOf([SQUARE, { ...SQUARE, rotate: 90 }]), (pdf) => {
    const region = { left: 50, top: 42, right: 150, bottom: 142 }
    const upright = pdf.draw(1, { dpi: 72, region })
    expect(upright).toMatchObject({ width: 100, height: 100 })
    expect([pixel(upright, 1, 1), pixel(upright, 98, 98)]).toEqual([BLUE, BLUE])
    expect(pdf.size(2)).toEqual({ width: 842, height: 595 })
    const turned = pdf.draw(2, { dpi: 72, region: { left: 700, top: 50, right: 800, bottom: 150 } })
    expect([pixel(turned, 1, 1), pixel(turned, 98, 98)]).toEqual([BLUE, BLUE])
  }))

test('text may be left out, and the ground', () =>
  withDrawable(pdfOf([{ content: drawn('text', 60, 700, 40) }]), (pdf) => {
    expect(hasInk(pdf.draw(1, { dpi: 72 }))).toBe(true)
    expect(hasInk(pdf.draw(1, { dpi: 72, withoutText: true }))).toBe(false)
    expect(pixel(pdf.draw(1, { dpi: 72, isTransparent: true }), 0, 0)).toEqual([0, 0, 0, 0])
  }))

test('a page of any size takes no more than its pixels', () =>
  withDrawable(pdfOf([{ content: '', width: 14_000, height: 14_000 }]), (pdf) => {
    const { width, height, dpi } = pdf.draw(1, { dpi: 300, maxPixels: 1e6 })
    expect(width * height).toBeLessThanOrEqual(1.01e6)
    expect(dpi).toBeLessThan(10)
  }))

test('passwords are asked for; what is no PDF is refused', async () => {
  const locked = await encrypted(pdfOf([SQUARE]), { user: '密码', owner: 'own' })
  const codeOf = (work: Promise<unknown>) => work.catch((thrown: unknown) => (thrown instanceof AppError ? thrown.code : thrown))
  expect(await codeOf(withDrawable(locked, () => 'drawn'))).toBe('pdf.password')
  expect(await codeOf(withDrawable(locked, () => 'drawn', 'wrong'))).toBe('pdf.wrong-password')
  expect(await codeOf(withDrawable(locked, () => 'drawn', '密码'))).toBe('drawn')
  expect(await codeOf(withDrawable(Buffer.from('%PDF-1.7\n'), () => 'drawn'))).toBe('file.unreadable')
  expect(await codeOf(withDrawable(pdfOf([SQUARE]), (pdf) => pdf.draw(2, { dpi: 72 })))).toBe('file.unreadable')
})

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { drawn, drawnGrid, pdfOf } from '../fixtures/pdfs.ts'
import { openPdf } from '#engine/pdf/open-pdf'
import type { PageModel, PlacedImage } from '#engine/pdf/page-model'

async function read<T>(content: string, use: (page: PageModel) => Promise<T> | T): Promise<T> {
  await using folder = await testFolder()
  const path = join(folder.path, 'a.pdf')
  await writeFile(path, pdfOf([{ content }]))
  const pictures = join(folder.path, 'pictures')
  await mkdir(pictures)
  const pdf = await openPdf(path, { maxPages: 10, pictures })
  const page = await pdf.page(1)
  await pdf.close()
  return await use(page)
}

/** The colour at a place of the page, by the picture that stands there. */
async function colourAt(image: PlacedImage | undefined, x: number, y: number): Promise<number[]> {
  if (!image?.picture) throw new Error('no picture')
  const { width, height, path } = image.picture
  const column = Math.floor(((x - image.left) / (image.right - image.left)) * width)
  const row = Math.floor(((y - image.top) / (image.bottom - image.top)) * height)
  return [
    ...(await sharp(path).ensureAlpha().toColourspace('srgb').extract({ left: column, top: row, width: 1, height: 1 }).raw().toBuffer()),
  ]
}

/** A red disc of 40 points around a place, counted from the left bottom corner. */
const disc = (x: number, y: number): string =>
  `1 0 0 rg ${x + 40} ${y} m ${x + 40} ${y + 22} ${x + 22} ${y + 40} ${x} ${y + 40} c ${x - 22} ${y + 40} ${x - 40} ${y + 22} ${x - 40} ${y} c ${x - 40} ${y - 22} ${x - 22} ${y - 40} ${x} ${y - 40} c ${x + 22} ${y - 40} ${x + 40} ${y - 22} ${x + 40} ${y} c f 0 g\n`

test('a drawing becomes a picture, and its text stays text', async () => {
  await read(drawn('Title', 60, 780) + disc(200, 600) + drawn('42 %', 190, 596), async ({ images, glyphs }) => {
    expect(images).toHaveLength(1)
    const [image] = images
    expect(Math.round(image?.left ?? 0)).toBe(160)
    expect(Math.round(image?.bottom ?? 0)).toBe(282)
    expect(glyphs.map(({ text }) => text).join('')).toBe('Title42 %')
    // No letter is painted in it, and nothing beside the disc.
    const colours = await Promise.all([192, 196, 200, 204, 208].map((x) => colourAt(image, x, 241)))
    expect(colours).toEqual(colours.map(() => [255, 0, 0, 255]))
    expect((await colourAt(image, 162, 204))[3]).toBe(0)
  })
})

test('a chart comes with its axes, and they are no table', async () => {
  const points = [120, 180, 140, 220, 160, 240, 200, 260, 190, 280]
  const curve = `1 0 0 RG 2 w 110 500 m ${points.map((y, at) => `${130 + at * 20} ${380 + y} l`).join(' ')} S 0 G 1 w\n`
  const axes = '100 480 m 330 480 l S 100 480 m 100 680 l S 100 530 m 330 530 l S 100 580 m 330 580 l S\n'
  await read(curve + axes, ({ images, rules }) => {
    expect(rules).toEqual([])
    expect(images).toHaveLength(1)
    expect(images[0]?.left).toBeLessThanOrEqual(100)
    expect(images[0]?.bottom).toBeGreaterThanOrEqual(842 - 481)
  })
})

test('tables, underlines and the ground of a page are no drawings', async () => {
  const table = drawnGrid([60, 200, 400], [700, 660, 620]) + '60 700 m 200 660 l S\n'
  await read(`${table}60 500 m 300 500 l S 0.9 g 60 300 200 100 re f 0 g`, ({ images, rules, fills }) => {
    expect(images).toEqual([])
    expect(rules).toHaveLength(7)
    expect(fills).toHaveLength(1)
  })
})

test('two drawings far apart are two pictures', async () => {
  await read(disc(150, 700) + disc(400, 200), ({ images }) => expect(images).toHaveLength(2))
})

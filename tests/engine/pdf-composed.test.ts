import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument, StandardFonts, type PDFContext, type PDFObject } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { composedPdf, group, redTiles, type Resources } from '../fixtures/composed-pdfs.ts'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { paint, pdfWithPictures, picture } from '../fixtures/pdf-pictures.ts'
import { drawn, drawnGrid } from '../fixtures/pdfs.ts'
import { unzip } from '../fixtures/unzip.ts'
import { openPdf } from '#engine/pdf/open-pdf'
import type { PageModel, PlacedImage } from '#engine/pdf/page-model'

/** What a page reads as, with all that is painted on it. */
async function read(pdf: Buffer, use: (page: PageModel) => Promise<void>): Promise<void> {
  await using folder = await testFolder()
  const path = join(folder.path, 'a.pdf')
  await writeFile(path, pdf)
  const pictures = join(folder.path, 'pictures')
  await mkdir(pictures)
  const open = await openPdf(path, { maxPages: 1, pictures, paints: 'everything' })
  const page = await open.page(1)
  await open.close()
  await use(page)
}

const drawnPage = async (content: string, resources: Resources, use: (page: PageModel) => Promise<void>): Promise<void> =>
  read(await composedPdf(content, resources), use)

const picturesIn = ({ painted = [] }: PageModel): PlacedImage[] => painted.flatMap((one) => (one.kind === 'picture' ? [one.image] : []))

/** The colour of a picture at a place of its page, counted from the left bottom corner. */
async function colourAt(image: PlacedImage | undefined, x: number, y: number): Promise<number[]> {
  if (!image?.picture) throw new Error('no picture')
  const { width, height, path } = image.picture
  const left = Math.floor(((x - image.left) / (image.right - image.left)) * width)
  const top = Math.floor(((400 - y - image.top) / (image.bottom - image.top)) * height)
  return [...(await sharp(path).ensureAlpha().toColourspace('srgb').extract({ left, top, width: 1, height: 1 }).raw().toBuffer())]
}

const near = (...colour: number[]): unknown[] => colour.map((level): unknown => expect.closeTo(level, -1))
const TEXT = 'BT /F1 20 Tf 0 g 60 150 Td (Editable) Tj ET\n'

test('what is seen through a soft mask is as faint as the mask says, and its text stays text', async () => {
  const resources: Resources = (context) => ({
    ExtGState: {
      // White on the left half shows all, grey on the right half of it.
      G0: context.obj({
        Type: 'ExtGState',
        SMask: { S: 'Luminosity', G: group(context, '1 g 0 0 200 400 re f 0.5 g 200 0 200 400 re f') },
      }),
    },
  })
  await drawnPage(`q /G0 gs 0 0 1 rg 100 100 200 100 re f ${TEXT} Q`, resources, async (page) => {
    const [only, ...others] = picturesIn(page)
    expect(others).toEqual([])
    expect(await colourAt(only, 150, 190)).toEqual(near(0, 0, 255, 255))
    expect((await colourAt(only, 250, 190))[3]).toBeLessThan(160)
    expect((await colourAt(only, 250, 190))[3]).toBeGreaterThan(30)
    // The letters are in no picture.
    expect(await colourAt(only, 105, 155)).toEqual(near(0, 0, 255, 255))
    expect(page.glyphs.map(({ text }) => text).join('')).toBe('Editable')
    expect(page.painted?.filter(({ kind }) => kind === 'path')).toEqual([])
  })
})

test('a mask that hides everything leaves nothing of it', async () => {
  const resources: Resources = (context) => ({
    ExtGState: { G0: context.obj({ Type: 'ExtGState', SMask: { S: 'Luminosity', G: group(context, '0 g 0 0 400 400 re f') } }) },
  })
  await drawnPage(`q /G0 gs 0 0 1 rg 100 100 200 100 re f Q 1 0 0 rg 20 20 40 40 re f`, resources, (page) => {
    expect(picturesIn(page)).toEqual([])
    expect(page.painted).toMatchObject([{ kind: 'path', fill: { colour: '#ff0000' } }])
    return Promise.resolve()
  })
})

test('tiles are drawn as tiles', async () => {
  const content = '/Pattern cs /T0 scn 100 100 200 100 re f'
  await drawnPage(
    content,
    (context) => ({ Pattern: { T0: redTiles(context) } }),
    async (page) => {
      const [only] = picturesIn(page)
      expect(await colourAt(only, 205, 145)).toEqual(near(255, 0, 0, 255))
      expect((await colourAt(only, 215, 155))[3]).toBe(0)
    },
  )
})

test('colours that multiply are mixed with what lies below them, and are themselves where nothing does', async () => {
  const resources: Resources = (context) => ({ ExtGState: { G0: context.obj({ Type: 'ExtGState', BM: 'Multiply' }) } })
  await drawnPage('0 1 1 rg 100 100 100 100 re f q /G0 gs 1 1 0 rg 150 100 100 100 re f Q', resources, async (page) => {
    const [only] = picturesIn(page)
    expect(await colourAt(only, 175, 150)).toEqual(near(0, 255, 0, 255))
    expect(await colourAt(only, 225, 150)).toEqual(near(255, 255, 0, 255))
  })
  await drawnPage('q /G0 gs 1 1 0 rg 150 100 100 100 re f Q', resources, (page) => {
    expect(picturesIn(page)).toEqual([])
    return Promise.resolve()
  })
})

test('a picture with a soft mask of its own keeps its transparency', async () => {
  const mask = picture(2, 1, Uint8Array.of(255, 64), { ColorSpace: 'DeviceGray' })
  const pixels = Uint8Array.of(255, 0, 0, 0, 0, 255)
  const noise = Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, at) => (at * 7919) % 251))
  const jpeg = await sharp(noise, { raw: { width: 64, height: 48, channels: 3 } })
    .blur(2)
    .jpeg()
    .toBuffer()
  const streams = [picture(2, 1, pixels, { SMask: mask }), picture(64, 48, jpeg, { Filter: 'DCTDecode', SMask: mask })]
  await read(await pdfWithPictures([paint('P0', '80 0 0 40 100 500') + paint('P1', '64 0 0 48 100 300')], streams), async (page) => {
    const alphas = picturesIn(page).map(async ({ picture: file }) => {
      const { data, info } = await sharp(file?.path ?? '')
        .raw()
        .toBuffer({ resolveWithObject: true })
      return [file?.format, info.channels, data.at(info.channels - 1), data.at(-1)]
    })
    expect(await Promise.all(alphas)).toEqual([
      ['png', 4, 255, 64],
      ['png', 4, 255, 64],
    ])
  })
})

test('in Word a picture lies above the panel it was painted on', async () => {
  await using folder = await testFolder()
  const content = `0.9 0.8 0.7 rg 0 100 600 500 re f\n${paint('P0', '150 0 0 150 400 350')}`
  const pixels = Uint8Array.from({ length: 48 }, (_, at) => (at * 37) % 256)
  const pdf = await PDFDocument.load(await pdfWithPictures([content], [picture(4, 4, pixels)]))
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const y of [500, 480, 460, 440, 420, 400])
    pdf.getPage(0).drawText('A line of text that stands on the panel beside it', { x: 60, y, size: 12, font })
  const [output] = await runTool('pdf-to-word', folder.path, Buffer.from(await pdf.save()), {}, '图.pdf')
  const document = (await unzip(await readFile(output.path))).get('word/document.xml')?.toString('utf8') ?? ''
  const heights = [...document.matchAll(/relativeHeight="(\d+)"(?:(?!relativeHeight|inline).)*<wp:docPr id="\d+" name="(图形|图片)/g)].map(
    ([, height, kind]) => [kind, Number(height)],
  )
  expect(heights.map(([kind]) => kind)).toEqual(['图形', '图片'])
  expect(heights[0]?.[1]).toBeLessThan(Number(heights[1]?.[1]))
})

test('slides, documents and OFD show what was drawn, with the text on it', async () => {
  await using folder = await testFolder()
  const pdf = await composedPdf(`/Pattern cs /T0 scn 100 100 200 100 re f ${TEXT}`, (context) => ({ Pattern: { T0: redTiles(context) } }))
  for (const tool of ['pdf-to-ppt', 'pdf-to-word', 'pdf-to-ofd'] as const) {
    const [output] = await runTool(tool, folder.path, pdf, {}, '混合.pdf')
    const parts = await unzip(await readFile(output.path))
    const pictures = [...parts].filter(([path]) => path.endsWith('.png'))
    expect(pictures).toHaveLength(1)
    expect(
      [...parts]
        .filter(([path]) => path.endsWith('.xml'))
        .map(([, bytes]) => bytes.toString('utf8'))
        .join(''),
    ).toContain('Editable')
  }
})

describe('a table whose cells stand on gradients and tiles', () => {
  const run = (x: number) => ({ FunctionType: 2, Domain: [0, 1], C0: [0, 0, 1], C1: [0, x, 1], N: 1 })
  const axial = (context: PDFContext, x: number): PDFObject =>
    context.obj({ ShadingType: 2, ColorSpace: 'DeviceRGB', Coords: [100, 0, 200, 0], Function: run(x), Extend: [true, true] })
  const resources: Resources = (context) => ({
    Pattern: { P0: context.obj({ PatternType: 2, Shading: axial(context, 1) }), T0: redTiles(context) },
    Shading: { S0: axial(context, 0.5) },
  })
  const grounds = '/Pattern cs /P0 scn 100 300 100 40 re f q 200 300 100 40 re W n /S0 sh Q /Pattern cs /T0 scn 100 260 100 40 re f 0 g\n'
  const words = [drawn('one', 110, 315), drawn('two', 210, 315), drawn('three', 110, 275), drawn('four', 210, 275)]
  const content = grounds + drawnGrid([100, 200, 300], [340, 300, 260]) + words.join('')

  const partsOf = async (tool: 'pdf-to-word' | 'pdf-to-excel' | 'pdf-to-ppt', part: string): Promise<string> => {
    await using folder = await testFolder()
    const [output] = await runTool(tool, folder.path, await composedPdf(content, resources), {}, '表.pdf')
    return (await unzip(await readFile(output.path))).get(part)?.toString('utf8') ?? ''
  }
  // Blue to cyan over the first cell; beyond its end a half of that; a quarter of the tiles is red.
  const colours = ['0080ff', '0040ff', expect.stringMatching(/^ff(c[0-9a-f])\1$/)]

  test('has the colours that these come to in Word and Excel', async () => {
    const word = await partsOf('pdf-to-word', 'word/document.xml')
    expect([...word.matchAll(/w:fill="(\w+)"/g)].map(([, fill]) => fill?.toLowerCase())).toEqual(colours)
    const excel = await partsOf('pdf-to-excel', 'xl/styles.xml')
    const fills = [...excel.matchAll(/fgColor rgb="FF(\w+)"/g)].map(([, fill]) => fill?.toLowerCase())
    expect(fills).toEqual(expect.arrayContaining(colours))
  })

  test('stands on them on a slide, its words above them', async () => {
    const slide = await partsOf('pdf-to-ppt', 'ppt/slides/slide1.xml')
    const [under = '', table = ''] = slide.split('<p:graphicFrame>')
    expect(under.match(/<a:gradFill/g)).toHaveLength(2)
    expect(under.match(/<p:pic>/g)).toHaveLength(1)
    expect(table).not.toMatch(/<p:pic>|<a:gradFill/)
    for (const word of ['one', 'two', 'three', 'four']) expect(table).toContain(word)
    expect(table.match(/<\/a:lnB><a:noFill\/>/g)).toHaveLength(4)
  })
})

import { readFile } from 'node:fs/promises'
import { PDFDocument, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { child, numbers, openOfd, parseXml, textOf, within } from '../bench/ofd/package.mjs'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { structureComplaints } from '../fixtures/ofd-structure.ts'
import { paint, pdfWithPictures, picture } from '../fixtures/pdf-pictures.ts'
import { drawn, drawnGrid, pdfOf, type DrawnPage } from '../fixtures/pdfs.ts'
import { textRuns } from '#engine/ofd/text-runs'
import type { PaintedText } from '#engine/pdf/painted'

/** The package made of a PDF, found to be as the standard has it. */
async function ofdOf(pdf: Buffer, options: object = {}) {
  await using folder = await testFolder()
  const [output] = await runTool('pdf-to-ofd', folder.path, pdf, options, '公文.pdf')
  expect(output).toMatchObject({ name: '公文.ofd', format: 'ofd' })
  const bytes = await readFile(output.path)
  expect(bytes.length).toBe(output.bytes)
  expect(structureComplaints(bytes)).toEqual([])
  return openOfd(bytes)
}

type Package = Awaited<ReturnType<typeof ofdOf>>

const onePage = (content: string, page: Partial<DrawnPage> = {}) => ofdOf(pdfOf([{ content, ...page }]))
const objectsOf = (ofd: Package, name: string, page = 0) =>
  [...within(ofd.pages[page]?.element ?? ofd.root)].filter((one) => one.name === `ofd:${name}`)
const mm = (points: number): number => (points * 25.4) / 72

/** Where the first glyph of an object stands on its page, in millimetres. */
function originOf(object: ReturnType<typeof objectsOf>[number]): readonly [number, number] {
  const [left = 0, top = 0] = numbers(object.attributes['Boundary'])
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(object.attributes['CTM'])
  const { X, Y } = child(object, 'TextCode')?.attributes ?? {}
  const [x, y] = [Number(X), Number(Y)]
  return [left + a * x + c * y + e, top + b * x + d * y + f]
}

/** A glyph's advance in thousandths of the em, by the font's own tables (OpenType hhea, hmtx). */
function advanceOf(font: Uint8Array, glyph: number): number {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  const tables = new Map<string, number>()
  for (let nth = 0; nth < view.getUint16(4); nth++)
    tables.set(Buffer.from(font.subarray(12 + 16 * nth, 16 + 16 * nth)).toString('latin1'), view.getUint32(20 + 16 * nth))
  const [head = 0, hhea = 0, hmtx = 0] = ['head', 'hhea', 'hmtx'].map((tag) => tables.get(tag))
  const last = view.getUint16(hhea + 34) - 1
  return (view.getUint16(hmtx + 4 * Math.min(glyph, last)) * 1000) / view.getUint16(head + 18)
}

test('text stays text: what it says, where it stands, in which colour', async () => {
  const ofd = await onePage(`1 0 0 rg ${drawn('Hello, 100 %', 60, 700, 18)} 0 g ${drawn('国家标准', 60, 650, 16)}`)
  expect(textOf(ofd.pages[0]?.element ?? ofd.root)).toBe('Hello, 100 %\n国家标准')
  expect(ofd.pages[0]?.box.map(Math.round)).toEqual([0, 0, 210, 297])
  const [hello, standard] = objectsOf(ofd, 'TextObject')
  expect(originOf(hello ?? ofd.root)[0]).toBeCloseTo(mm(60), 2)
  expect(originOf(hello ?? ofd.root)[1]).toBeCloseTo(mm(842 - 700), 2)
  expect(Number(hello?.attributes['Size'])).toBeCloseTo(mm(18), 2)
  expect(child(hello, 'FillColor')?.attributes['Value']).toBe('255 0 0')
  expect(originOf(standard ?? ofd.root)[1]).toBeCloseTo(mm(842 - 650), 2)
  // What no file has embedded is named, for readers to take from the system.
  const named = ofd.fonts.get(standard?.attributes['Font'] ?? '')
  expect(named?.file).toBeUndefined()
  expect(named?.element.attributes['FamilyName']).toBe('宋体')
  expect(numbers(child(standard, 'TextCode')?.attributes['DeltaX'])).toHaveLength(3)
})

test('glyphs are those of the embedded font, one for each letter', async () => {
  const ofd = await onePage(drawn('iWm.', 60, 700))
  const [object] = objectsOf(ofd, 'TextObject')
  const font = ofd.files[ofd.fonts.get(object?.attributes['Font'] ?? '')?.file ?? '']
  const transform = child(object, 'CGTransform')
  const glyphs = numbers(child(transform, 'Glyphs')?.text)
  expect(transform?.attributes).toMatchObject({ CodePosition: '0', CodeCount: '4', GlyphCount: '4' })
  // Helvetica's own widths.
  expect(glyphs.map((glyph) => Math.round(advanceOf(font ?? new Uint8Array(0), glyph)))).toEqual([222, 944, 833, 278])
  const steps = numbers(child(object, 'TextCode')?.attributes['DeltaX'])
  for (const [at, width] of [222, 944, 833].entries()) expect(steps[at]).toBeCloseTo(mm((width * 12) / 1000), 2)
})

test('a font is there once for all pages', async () => {
  const ofd = await ofdOf(pdfOf(['one', 'two', 'three'].map((word) => ({ content: drawn(word, 60, 700) }))))
  expect(ofd.pages.map(({ element }) => textOf(element))).toEqual(['one', 'two', 'three'])
  expect(ofd.fonts.size).toBe(1)
})

test('turned text and turned pages stand as they did', async () => {
  const ofd = await onePage(`BT /F1 12 Tf 0 1 -1 0 100 200 Tm (up) Tj ET BT /F1 12 Tf 50 Tz 1 0 0 1 300 400 Tm (thin) Tj ET`, {
    rotate: 90,
  })
  expect(ofd.pages[0]?.box.map(Math.round)).toEqual([0, 0, 297, 210])
  const [up, thin] = objectsOf(ofd, 'TextObject')
  // A quarter turn and another make text that stands upright again, upside down from where it was.
  expect(numbers(up?.attributes['CTM']).slice(0, 4)).toEqual([])
  expect(originOf(up ?? ofd.root)[0]).toBeCloseTo(mm(200), 2)
  expect(originOf(up ?? ofd.root)[1]).toBeCloseTo(mm(100), 2)
  const [a, b, c, d] = numbers(thin?.attributes['CTM'])
  expect([a, b, c, d]).toEqual([0, 0.5, -1, 0])
})

test('text without ink is there to be found, below what is seen', async () => {
  const ofd = await onePage(`0.9 g 50 650 200 100 re f 3 Tr ${drawn('found', 60, 700)} 0 Tr ${drawn('seen', 60, 600)}`)
  const texts = objectsOf(ofd, 'TextObject')
  expect(texts.map((one) => child(one, 'TextCode')?.text)).toEqual(['found', 'seen'])
  expect(texts.map((one) => child(one, 'FillColor')?.attributes['Alpha'])).toEqual(['0', undefined])
  const [layer] = objectsOf(ofd, 'Layer')
  expect(layer?.children.map(({ name }) => name)).toEqual(['ofd:TextObject', 'ofd:PathObject', 'ofd:TextObject'])
})

test('paths keep pens, colours, opacity and fill rules, in their order', async () => {
  const star = '200 700 m 260 540 l 120 640 l 280 640 l 140 540 l h'
  const ofd = await onePage(
    `0 0 1 RG 3 w 1 J 1 j [6 3] 0 d 50 500 m 150 400 250 400 350 500 c S q 1 0.5 0 rg ${star} f* Q ${drawnGrid([60, 200], [300, 260])}`,
  )
  const [curve, star_, ...rules] = objectsOf(ofd, 'PathObject')
  expect(curve?.attributes).toMatchObject({ Stroke: 'true', Fill: 'false', Cap: 'Round', Join: 'Round' })
  expect(Number(curve?.attributes['LineWidth'])).toBeCloseTo(mm(3), 2)
  expect(numbers(curve?.attributes['DashPattern'])[1]).toBeCloseTo(mm(3), 2)
  expect(child(curve, 'StrokeColor')?.attributes['Value']).toBe('0 0 255')
  expect(child(curve, 'AbbreviatedData')?.text).toMatch(/^M [\d. ]+ B [\d. ]+$/)
  expect(star_?.attributes).toMatchObject({ Stroke: 'false', Fill: 'true', Rule: 'Even-Odd' })
  expect(child(star_, 'FillColor')?.attributes['Value']).toBe('255 128 0')
  expect(rules.length).toBeGreaterThan(0)
})

test('what a clip cuts off is cut off', async () => {
  const circle = '150 600 m 150 655 105 700 50 700 c -5 700 -50 655 -50 600 c h'
  const ofd = await onePage(
    `q 100 100 200 200 re W n 1 0 0 rg 0 0 595 842 re f ${drawn('outside', 400, 700)} Q q ${circle} W n 0 1 0 rg 0 0 595 842 re f Q`,
  )
  const [square, round] = objectsOf(ofd, 'PathObject')
  const box = numbers(square?.attributes['Boundary'])
  for (const [at, side] of [100, 842 - 300, 200, 200].entries()) expect(box[at]).toBeCloseTo(mm(side), 2)
  expect(child(square, 'Clips')).toBeUndefined()
  const path = child(child(child(child(round, 'Clips'), 'Clip'), 'Area'), 'Path')
  expect(child(path, 'AbbreviatedData')?.text).toMatch(/B .* B .* C$/)
  // Text that nobody sees can be found, as in the PDF.
  expect(objectsOf(ofd, 'TextObject').map((one) => child(one, 'FillColor')?.attributes['Alpha'])).toEqual(['0'])
})

test('pictures are the very files of the PDF, each once', async () => {
  const jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#336699' } })
    .composite([{ input: Buffer.from('<svg width="40" height="30"><circle cx="12" cy="12" r="9" fill="#fa0"/></svg>') }])
    .jpeg()
    .toBuffer()
  const stream = picture(40, 30, jpeg, { Filter: 'DCTDecode' })
  const ofd = await ofdOf(await pdfWithPictures([paint('P0', '200 0 0 150 100 500'), paint('P0', '80 0 0 60 10 10')], [stream]))
  expect([...ofd.media.values()].map(({ file }) => Buffer.from(ofd.files[file ?? ''] ?? []).equals(jpeg))).toEqual([true])
  const [placed] = objectsOf(ofd, 'ImageObject')
  const box = numbers(placed?.attributes['Boundary'])
  for (const [at, side] of [100, 800 - 650, 200, 150].entries()) expect(box[at]).toBeCloseTo(mm(side), 2)
  expect(numbers(placed?.attributes['CTM']).map((value) => value.toFixed(2))).toEqual(
    [mm(200), 0, 0, mm(150), 0, 0].map((value) => value.toFixed(2)),
  )
  expect(objectsOf(ofd, 'ImageObject', 1)).toHaveLength(1)
})

test('links and bookmarks lead where they led', async () => {
  const document = await PDFDocument.load(pdfOf([1, 2].map((n) => ({ content: drawn(`page ${n}`, 60, 700) }))))
  const { context } = document
  const [first, second] = document.getPages()
  // pdf-lib's types want to know the entries; context.obj takes any of them.
  const added = (entries: object) => context.register(context.obj(Object.fromEntries(Object.entries(entries)) as Record<string, never>))
  const link = (action: string, rest: object) => added({ Type: 'Annot', Subtype: 'Link', Rect: [60, 690, 160, 720], [action]: rest })
  const page = second?.ref ?? null
  first?.node.set(
    PDFName.of('Annots'),
    context.obj([link('A', { S: 'URI', URI: PDFString.of('https://example.com/?a=1&b=2') }), link('Dest', [page, 'XYZ', 0, 742, 0])]),
  )
  const title = PDFHexString.fromText('第二页')
  const entry = added({ Title: title, Dest: [page, 'Fit'] })
  document.catalog.set(PDFName.of('Outlines'), added({ Type: 'Outlines', First: entry, Last: entry, Count: 1 }))
  document.setTitle('年度报告')
  const ofd = await ofdOf(Buffer.from(await document.save({ useObjectStreams: false })))
  const parts = Object.entries(ofd.files).flatMap(([path, bytes]) =>
    path.endsWith('.xml') ? [...within(parseXml(Buffer.from(bytes).toString('utf8')))] : [],
  )
  const named = (name: string) =>
    parts.filter((one) => one.name === `ofd:${name}`).map(({ attributes, text }): Record<string, string> => ({ ...attributes, text }))
  const pageId = named('Page').find(({ BaseLoc }) => BaseLoc?.includes('Page_1'))?.['ID']
  expect(named('URI')).toMatchObject([{ URI: 'https://example.com/?a=1&b=2' }])
  expect(named('Dest')).toMatchObject([{ PageID: pageId }, { PageID: pageId }])
  expect(named('OutlineElem')).toMatchObject([{ Title: '第二页' }])
  expect(named('Title')).toMatchObject([{ text: '年度报告' }])
})

test('signs of a font of signs are written as what they show', () => {
  const font = { name: 'Wingdings 2', isBold: false, isItalic: false, isSerif: false, isMonospace: false, isVertical: false, unit: 0.001 }
  const glyphs = ['\uf052', '\uf0a3'].map((text, at) => ({ text, code: at, x: at * 12, y: 0, advance: 12 }))
  const common = { kind: 'text', program: undefined, size: 12, map: [1, 0, 0, 1, 0, 0], clip: { box: undefined, shapes: [] } } as const
  const painted = { ...common, font, glyphs } as unknown as PaintedText // what else it has says nothing here
  expect(textRuns([painted]).flatMap((run) => run.glyphs.map(({ text }) => text))).toEqual(['☑', '□'])
})

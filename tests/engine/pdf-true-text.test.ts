import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { paint, pdfWithPictures, picture } from '../fixtures/pdf-pictures.ts'
import { drawn, pdfOf } from '../fixtures/pdfs.ts'
import { openPdf } from '#engine/pdf/open-pdf'
import type { PageModel } from '#engine/pdf/page-model'

async function pageOf(pdf: Uint8Array, hasPictures = false): Promise<PageModel> {
  await using folder = await testFolder()
  const path = join(folder.path, 'a.pdf')
  await writeFile(path, pdf)
  const pictures = join(folder.path, 'pictures')
  await mkdir(pictures)
  const open = await openPdf(path, { maxPages: 10, ...(hasPictures && { pictures }) })
  const page = await open.page(1)
  await open.close()
  return page
}

const said = ({ glyphs }: PageModel): string => glyphs.map(({ text }) => text).join('')
const hidden = ({ glyphs }: PageModel): string => glyphs.flatMap(({ text, isHidden }) => (isHidden ? [text] : [])).join('')

/** A page in a font whose codes say `letters` (none: nothing says what they are), all of one width in thousandths of the size; `body`
 * has them once more, of a whole em, in that size. */
async function inFont(
  letters: readonly string[],
  width: number,
  options: { isMapped?: boolean; size?: number; body?: number; name?: string } = {},
): Promise<PageModel> {
  const document = await PDFDocument.create()
  const { context } = document
  const page = document.addPage([600, 800])
  const code = (at: number): string => (at + 1).toString(16).padStart(4, '0')
  const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex')
  const entries = letters.map((letter, at) => `<${code(at)}> <${utf16(letter)}>`).join('\n')
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange ${letters.length} beginbfchar\n${entries}\nendbfchar endcmap end end`
  const info = { Registry: context.obj('(Adobe)'), Ordering: context.obj('(Identity)'), Supplement: 0 }
  const descriptor = {
    Type: 'FontDescriptor',
    FontName: options.name ?? 'Unknown',
    Flags: 4,
    FontBBox: [0, -200, 1000, 900],
    ItalicAngle: 0,
    Ascent: 880,
    Descent: -120,
    CapHeight: 700,
    StemV: 80,
  }
  const descendant = (DW: number) => ({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: options.name ?? 'Unknown',
    CIDSystemInfo: info,
    DW,
    FontDescriptor: context.register(context.obj(descriptor)),
  })
  const font = (ems: number) => ({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: options.name ?? 'Unknown',
    Encoding: 'Identity-H',
    DescendantFonts: [context.register(context.obj(descendant(ems)))],
  })
  const mapped = (ems: number) =>
    context.register(
      context.obj(options.isMapped === false ? font(ems) : { ...font(ems), ToUnicode: context.register(context.stream(cmap)) }),
    )
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: mapped(width), F2: mapped(1000) } }))
  const shown = letters.map((_, at) => code(at)).join('')
  const show = (name: string, size: number, y: number): string => `BT /${name} ${size} Tf 20 ${y} Td <${shown}> Tj ET\n`
  page.node.set(
    PDFName.of('Contents'),
    context.register(context.stream(`${show('F1', options.size ?? 10, 700)}${options.body ? show('F2', options.body, 600) : ''}`)),
  )
  return pageOf(await document.save())
}

test('text that is clipped away or beside the page is not read', async () => {
  const clipped = `q 0 650 300 100 re W n ${drawn('inside', 50, 700)}${drawn('outside', 350, 700)}${drawn('below', 50, 600)}Q `
  const page = await pageOf(pdfOf([{ content: clipped + drawn('after', 50, 500) + drawn('beside', -200, 400) + drawn('above', 50, 900) }]))
  expect(said(page)).toBe('insideafter')
})

test('text drawn by no ink is told from text that is seen', async () => {
  const page = await pageOf(pdfOf([{ content: `3 Tr ${drawn('layer', 50, 700)} 0 Tr ${drawn('seen', 50, 600)}` }]))
  expect([said(page), hidden(page)]).toEqual(['layerseen', 'layer'])
})

test('text under a scan of its page is the scan’s text layer', async () => {
  const scan = picture(
    2,
    3,
    Uint8Array.from({ length: 18 }, (_, at) => at * 9),
  )
  const document = await PDFDocument.load(
    await pdfWithPictures(
      [`BT /F1 12 Tf 50 700 Td (layer) Tj ET ${paint('P0', '600 0 0 800 0 0')} BT /F1 12 Tf 50 600 Td (stamp) Tj ET`],
      [scan],
    ),
  )
  const font = document.context.obj({ F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } })
  document.getPage(0).node.Resources()?.set(PDFName.of('Font'), font)
  const page = await pageOf(await document.save(), true)
  expect([said(page), hidden(page)]).toEqual(['layerstamp', 'layer'])
})

test('what typesetting programs name otherwise says what it shows', async () => {
  expect(said(await inFont([...'犌犕犜狊犲犪犾'], 500))).toBe('GMTseal')
  expect(said(await inFont([...'２０２６年'], 500))).toBe('2026年')
  expect(said(await inFont([...'２０２６年'], 1000))).toBe('２０２６年')
  expect(said(await inFont([...'⾼⼤上', 'ﬁ'], 1000))).toBe('高大上fi')
  expect(said(await inFont([...'⻔⺠⻛⻓⻰⻅⼾'], 1000, { name: 'NotoSansCJKsc-Regular' }))).toBe('门民风长龙见户')
  expect(said(await inFont([...'甲―乙⼾'], 1000, { name: 'NotoSansCJKsc-Regular' }))).toBe('甲—乙户')
  expect(said(await inFont([...'甲―乙⼾'], 1000, { name: 'NotoSansCJKtc-Regular' }))).toBe('甲―乙戶')
  expect(said(await inFont(['\uf0b7', '项', '\uf0fc'], 1000))).toBe('•项✓')
  expect(said(await inFont(['\uf052', '\uf0a3'], 1000, { name: 'Wingdings 2' }))).toBe('☑□')
})

test('text of which nobody knows what it says is told', async () => {
  const plain = await inFont([...'关于印发管理办法的通知'], 1000)
  expect(plain.garbled).toBe(0)
  const wide = await inFont([...`%&'()*+,-./0123456789:;<=>`], 1000)
  expect(wide.garbled).toBe(1)
  const digits = await inFont(['共', '\ue123', '\ue124', '人'], 500)
  expect(digits.garbled).toBe(0.5)
  expect(digits.glyphs.map(({ isGarbled }) => isGarbled ?? false)).toEqual([false, true, true, false])
  const founder = await inFont([...'犌犕犜狊犲犪犾', '\ue411'], 500)
  expect([said(founder), founder.garbled]).toEqual(['GMTseal\ue411', 1 / 8])
  const numbers = await inFont(
    Array.from({ length: 40 }, () => '一'),
    1000,
    { isMapped: false },
  )
  expect(numbers.garbled).toBe(1)
})

test('signs drawn small in an em twice as large as the text have the size of the text', async () => {
  const sizes = async (letters: readonly string[], width: number, body?: number) => [
    ...new Set((await inFont(letters, width, { size: 20, ...(body !== undefined && { body }) })).glyphs.map(({ size }) => size)),
  ]
  const signs = ['\uff0c', '\uff1a', '\u3002', '\uff08', '\uff09', '\uff27', '\uff2d']
  expect(await sizes(signs, 500, 10)).toEqual([10])
  // Alone, or of another size: signs of half an em, as Chinese text has them too.
  expect(await sizes(signs, 500)).toEqual([20])
  expect(await sizes(signs, 500, 20)).toEqual([20])
  expect(await sizes(signs, 1000, 10)).toEqual([20, 10])
  expect(await sizes(['\u4e00', '\u4e8c', '\u4e09'], 500, 10)).toEqual([20, 10])
})

test('letters in such an em end where they look as if they did, so that words part', async () => {
  const { glyphs } = await inFont(['\uff27', '\uff4c', '\uff0c'], 500, { size: 20, body: 10 })
  expect(glyphs.slice(0, 3).map(({ text, advance }) => [text, Math.round(advance * 100) / 100])).toEqual([
    ['G', 7.22],
    ['l', 2.78],
    ['\uff0c', 10],
  ])
})

test('capitals that their font maps to small letters are capitals', async () => {
  const document = await PDFDocument.create()
  const { context } = document
  const page = document.addPage([600, 800])
  const map =
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def 1 begincodespacerange <00> <ff> endcodespacerange 3 beginbfchar <4e> <006e> <4f> <006f> <74> <0074> endbfchar endcmap end end'
  const font = {
    Type: 'Font',
    Subtype: 'Type1',
    BaseFont: 'Helvetica',
    Encoding: 'WinAnsiEncoding',
    ToUnicode: context.register(context.stream(map)),
  }
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font } }))
  page.node.set(PDFName.of('Contents'), context.register(context.stream('BT /F1 12 Tf 50 700 Td (NOt) Tj ET')))
  expect(said(await pageOf(await document.save()))).toBe('NOt')
})

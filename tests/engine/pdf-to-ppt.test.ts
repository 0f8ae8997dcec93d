import { readFile } from 'node:fs/promises'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { drawn, drawnGrid, drawnLines, pdfOf, type DrawnPage } from '../fixtures/pdfs.ts'
import { unzip } from '../fixtures/unzip.ts'

const EMU = 12_700

async function presentationOf(pages: readonly DrawnPage[], options: object = {}) {
  await using folder = await testFolder()
  const [output] = await runTool('pdf-to-ppt', folder.path, pdfOf(pages), options, '汇报.pdf')
  expect(output).toMatchObject({ name: '汇报.pptx', format: 'pptx' })
  const parts = await unzip(await readFile(output.path))
  const part = (name: string): string => parts.get(name)?.toString('utf8') ?? ''
  return { parts, part, slide: (number: number) => part(`ppt/slides/slide${number}.xml`), note: output.note }
}

/** What a slide's shapes of one kind say, each in one line. */
const shapesOf = (slide: string, name: string): string[] =>
  [...slide.matchAll(new RegExp(`<${name}[ >].*?</${name}>`, 'gs'))].map(([shape]) =>
    [...shape.matchAll(/<a:t>(.*?)<\/a:t>|<a:br>/g)].map(([, text = '/']) => text).join(''),
  )

const boxes = (slide: string): string[] => shapesOf(slide, 'p:sp').filter((text) => text !== '')

test('each page is a slide of its size, each paragraph one box in its place', async () => {
  const lines = [
    '　　轻图是一款图片与文档处理工具，可以把图片压缩到指定大',
    '小以内，也可以转换格式、更换背景，还可以把文档转成文字，',
    '全部在几秒内完成。',
  ]
  const { slide, part } = await presentationOf([
    { content: drawn('产品说明', 250, 500, 20) + drawnLines(lines, 60, 420, 16, 26), width: 720, height: 540 },
    { content: drawn('第二页', 60, 500), width: 720, height: 540 },
  ])
  expect(part('ppt/presentation.xml')).toContain(`<p:sldSz cx="${720 * EMU}" cy="${540 * EMU}"/>`)
  expect(boxes(slide(1))).toEqual(['产品说明', lines.join('').trim()])
  expect(boxes(slide(2))).toEqual(['第二页'])
  const [, x, y, size] = /<a:xfrm><a:off x="(\d+)" y="(\d+)"\/>(?:(?!<a:xfrm>).)*sz="(\d+)"/s.exec(slide(1)) ?? []
  expect(Number(x) / EMU).toBeCloseTo(250, 0)
  expect(Number(y) / EMU).toBeGreaterThan(15)
  expect(Number(y) / EMU).toBeLessThan(30)
  expect(size).toBe('2000')
})

test('an item of a list keeps its mark where it goes on in a second line', async () => {
  const first = ['1．函数的自变量的取值范围是多', '少，请写出完整的过程']
  const { slide } = await presentationOf([
    { content: drawnLines([first[0] ?? '', '2．求两点的坐标'], 60, 700, 16, 52) + drawn(first[1] ?? '', 60 + 1.5 * 16, 674, 16) },
  ])
  expect(boxes(slide(1))).toEqual([first.join(''), '2．求两点的坐标'])
})

test('tables are tables, pictures and colours stay under them', async () => {
  const cells = [
    ['项目', '金额'],
    ['营业收入', '170,360'],
  ]
  const texts = cells.flatMap((row, r) => row.map((cell, c) => drawn(cell, 70 + c * 150, 680 - r * 40))).join('')
  const picture = 'q 100 0 0 50 60 300 cm BI /W 1 /H 2 /BPC 8 /CS /G ID \u0000\u0080 EI Q\n'
  const { slide, parts } = await presentationOf([
    { content: `1 0 0 rg 60 400 200 30 re f 0 g\n${picture}${drawnGrid([60, 210, 360], [700, 660, 620])}${texts}` },
  ])
  expect(shapesOf(slide(1), 'a:tr')).toEqual(['项目金额', '营业收入170,360'])
  expect(slide(1)).toContain(`<a:gridCol w="${150 * EMU}"/>`)
  expect(slide(1)).toContain('<a:srgbClr val="FF0000"/>')
  expect(slide(1).match(/<p:pic>/g)).toHaveLength(1)
  expect([...parts.keys()].filter((name) => name.startsWith('ppt/media/'))).toHaveLength(1)
  expect(slide(1).indexOf('<p:pic>')).toBeLessThan(slide(1).indexOf('<a:tbl>'))
  // The table's own rules are its borders and nothing else.
  expect(slide(1).match(/<p:sp>/g)).toHaveLength(1)
})

test('turned text is turned, text written downwards runs downwards', async () => {
  const down = `BT /F3 20 Tf 1 0 0 1 400 700 Tm <${Buffer.from('竖排文字', 'utf16le').swap16().toString('hex')}> Tj ET\n`
  const turned = 'BT /F1 12 Tf 0 1 -1 0 100 200 Tm (sideways) Tj ET\n'
  const { slide } = await presentationOf([{ content: drawn('正文', 200, 780) + turned + down }])
  expect(slide(1)).toMatch(/rot="16200000"(?:(?!<p:sp>).)*sideways/s)
  expect(slide(1)).toMatch(/vert="eaVert"(?:(?!<p:sp>).)*竖排文字/s)
})

test('pages of other sizes are fitted into the slide', async () => {
  const { slide } = await presentationOf([
    { content: drawn('一', 60, 700) },
    { content: drawn('二', 421, 300, 20), width: 842, height: 595 },
  ])
  const scale = 595 / 842
  expect(slide(2)).toContain(`sz="${Math.round(2000 * scale)}"`)
})

test('every part that is related to is there, and has a type', async () => {
  const { parts, part } = await presentationOf([{ content: drawn('一', 60, 700) }, { content: drawn('二', 60, 700) }])
  const types = part('[Content_Types].xml')
  const owners = [...parts.keys()].filter((name) => name.endsWith('.rels'))
  const targets = owners.flatMap((name) =>
    [...part(name).matchAll(/Target="([^"]+)"/g)].map(([, target = '']) =>
      new URL(target, `http://package/${name.replace('_rels/', '')}`).pathname.slice(1),
    ),
  )
  expect(targets.filter((path) => !parts.has(path))).toEqual([])
  const others = [...parts.keys()].filter((name) => !name.endsWith('.rels') && name !== '[Content_Types].xml')
  expect(others.filter((name) => !types.includes(`PartName="/${name}"`))).toEqual([])
})

/** Where the baseline of a box's or a cell's first line lies below the top of what holds it, in points. */
const baselineOf = (height: number, size: number): number => height - 0.2 * size

test('lines stand on their baselines, in boxes and in cells', async () => {
  const content = drawn('正文一行', 60, 500, 20) + drawnGrid([60, 360], [700, 660]) + drawn('靠上的字', 70, 684, 10)
  const { slide } = await presentationOf([{ content: content + drawnGrid([60, 210, 360], [660, 620]) + drawn('乙', 70, 640) }])
  const [, y, points] =
    /<a:off x="\d+" y="(\d+)"\/>(?:(?!<a:off).)*<a:lnSpc><a:spcPts val="(\d+)"(?:(?!<a:off).)*正文一行/s.exec(slide(1)) ?? []
  expect(Number(y) / EMU + baselineOf(Number(points) / 100, 20)).toBeCloseTo(342, 0)
  const [, top] = /<p:xfrm><a:off x="\d+" y="(\d+)"/.exec(slide(1)) ?? []
  const cell =
    /<a:tr h="(\d+)">(?:(?!<a:tr).)*?<a:spcPts val="(\d+)"(?:(?!<a:tr).)*?靠上的字(?:(?!<a:tr).)*?marT="(\d+)" marB="(\d+)"/s.exec(slide(1))
  const [height = 0, line = 0, above = 0, below = 0] = (cell ?? []).slice(1).map(Number)
  const anchored = slide(1).includes('anchor="ctr"') ? (height - above - below - line * 127) / 2 : 0
  expect((Number(top) + above + anchored) / EMU + baselineOf(line / 100, 10)).toBeCloseTo(158, 0)
})

test('a line with a tab tells no indent: LibreOffice would forget its tabs', async () => {
  const { slide } = await presentationOf([{ content: drawn('Age received', 60, 700) + drawn('AGEATBA', 460, 700) }])
  const [properties = ''] = /<a:pPr[^>]*>(?:(?!<\/a:pPr>).)*<a:tab pos="\d+"/s.exec(slide(1)) ?? []
  expect(properties).toContain('<a:tab ')
  expect(properties).not.toContain('indent=')
})

test('paragraphs of a cell stand as far apart as they stood, and have spaces for tabs', async () => {
  const cell = drawn('同意推荐。', 70, 680) + drawn('负责人签字：', 150, 630) + drawn('2026年', 300, 630) + drawn('月', 380, 630)
  const { slide } = await presentationOf([
    { content: drawnGrid([60, 140, 460], [720, 700, 600]) + drawn('意见', 70, 705) + cell.replace('70 680', '150 680') },
  ])
  const [, opinion = ''] = /<a:t>同意推荐。<\/a:t>(.*?)<\/a:tc>/s.exec(slide(1)) ?? []
  expect(opinion).toMatch(/<a:spcBef><a:spcPts val="3[4-7]\d\d"\/>/)
  expect(opinion).not.toContain('<a:tabLst>')
  expect(opinion.replaceAll(/<[^>]+>/g, '')).toMatch(/负责人签字：[ \u3000]{5,}2026年[ \u3000]{2,}月/)
})

test('a line that fills its cell has room for gaps between scripts', async () => {
  const text = '大型车比例'
  const line = drawn(text, 62, 680) + drawn('Q9', 122, 680) + drawn(text, 138, 680)
  const cells = line + drawn('二', 262, 680) + drawn('三', 62, 640) + drawn('四', 262, 640)
  const { slide } = await presentationOf([{ content: drawnGrid([60, 200, 360], [700, 660, 620]) + cells }])
  const spacings = [...slide(1).matchAll(/spc="(-?\d+)"[^>]*>(?:(?!<a:t>).)*<a:t>[^<]*大型/gs)].map(([, value]) => Number(value))
  expect(Math.max(...spacings, -Infinity)).toBeLessThan(0)
})

test('letters that are drawings are text, and drawn only where nothing says what they are', async () => {
  const document = await PDFDocument.load(pdfOf([{ content: 'BT /T3 20 Tf 100 700 Td <0101010102> Tj ET' }]))
  const { context } = document
  const drawing = context.register(context.stream('1000 0 d0 100 0 600 700 re f'))
  const font = {
    Type: 'Font',
    Subtype: 'Type3',
    FontBBox: [0, 0, 1000, 1000],
    FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
    CharProcs: { A: drawing, mark: drawing },
    Encoding: { Type: 'Encoding', Differences: [1, 'A', 'mark'] },
    FirstChar: 1,
    LastChar: 2,
    Widths: [1000, 1000],
  }
  document.getPage(0).node.set(PDFName.of('Resources'), context.obj({ Font: { T3: font } }))
  await using folder = await testFolder()
  const [output] = await runTool('pdf-to-ppt', folder.path, Buffer.from(await document.save()), {}, '汇报.pdf')
  const slide = (await unzip(await readFile(output.path))).get('ppt/slides/slide1.xml')?.toString('utf8') ?? ''
  expect(boxes(slide)).toEqual(['AAAA'])
  expect(slide.match(/<p:cNvPr id="\d+" name="图形/g)).toHaveLength(1)
})

test('a scan comes as pictures, and a note says so', async () => {
  const scan = 'q 595 0 0 842 0 0 cm BI /W 1 /H 2 /BPC 8 /CS /G ID \u0000\u0080 EI Q'
  const { slide, note } = await presentationOf([{ content: scan }])
  expect(note).toEqual({ kind: 'scanned' })
  expect(slide(1)).toContain('<p:pic>')
})

test('a scan stays in sight on its slide, its text layer there to be found', async () => {
  const scan = 'q 595 0 0 842 0 0 cm BI /W 1 /H 2 /BPC 8 /CS /G ID \u0000\u0080 EI Q\n'
  const { slide } = await presentationOf([{ content: `${scan}3 Tr ${drawn('图片里的字', 60, 700)}0 Tr ${drawn('盖上的字', 60, 300)}` }])
  expect(slide(1)).toContain('<p:pic>')
  expect(slide(1)).toMatch(/<a:alpha val="0"\/>(?:(?!<a:r>).)*图片里的字/s)
  expect(slide(1)).not.toMatch(/<a:alpha val="0"\/>(?:(?!<a:r>).)*盖上的字/s)
})

test('a file with nothing on its pages is refused', async () => {
  await expect(presentationOf([{ content: '' }])).rejects.toMatchObject({ code: 'pdf.no-text' })
})

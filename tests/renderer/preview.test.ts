import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { numberText } from '#renderer/preview/number-text'
import { openPackage } from '#renderer/preview/package'
import { readDocx } from '#renderer/preview/read-docx'
import { readOfd } from '#renderer/preview/read-ofd'
import { readPptx } from '#renderer/preview/read-pptx'
import { readXlsx } from '#renderer/preview/read-xlsx'
import { at, parseXml, textIn } from '#renderer/preview/xml'

const packed = (parts: Readonly<Record<string, string>>) =>
  openPackage(zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)]))))

const related = (...targets: readonly string[]): string =>
  `<Relationships>${targets.map((target, n) => `<Relationship Id="rId${n + 1}" Target="${target}"/>`).join('')}</Relationships>`

describe('XML', () => {
  test('elements, text and what is written as an entity', () => {
    const root = parseXml(`<?xml version="1.0"?><!-- <a> --><w:t a="1 &gt; 0" b='"'>甲 &amp; 乙&#x4e00;<br/><![CDATA[<丙>]]></w:t>`)
    const element = at(root, 'w:t')
    expect(element?.attributes).toEqual({ a: '1 > 0', b: '"' })
    expect(element && textIn(element)).toBe('甲 & 乙一<丙>')
  })

  test('an entity of a document’s own is not expanded', () => {
    const root = parseXml('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
    expect(textIn(root)).toContain('&b;')
  })
})

const paragraph = (text: string, properties = ''): string => `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const section = (type: string, more = ''): string =>
  `<w:sectPr><w:type w:val="${type}"/><w:pgSz w:w="11900" w:h="16840"/><w:pgMar w:top="1440" w:right="1000" w:bottom="1440" w:left="1000"/>${more}</w:sectPr>`

describe('a Word document', () => {
  const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`
  const table = `<w:tbl><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="1000"/></w:tblGrid><w:tr>${cell('合计', '<w:vMerge w:val="restart"/>')}${cell('1')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('2')}</w:tr></w:tbl>`
  const body = [
    paragraph('年度报告', '<w:pStyle w:val="Heading1"/><w:jc w:val="center"/><w:spacing w:before="200" w:line="480" w:lineRule="exact"/>'),
    paragraph('第一项', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'),
    paragraph('第二项', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'),
    table,
    paragraph('第二页', `<w:pageBreakBefore/>${section('nextPage')}`),
    paragraph('两栏'),
    section('continuous', '<w:cols w:num="2" w:space="400"/>'),
  ]
  const office = packed({
    'word/document.xml': `<w:document><w:body>${body.join('')}</w:body></w:document>`,
    'word/numbering.xml':
      '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="chineseCountingThousand"/><w:lvlText w:val="（%1）"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
  })

  test('comes with pages, headings, lists and tables', () => {
    const { pages, count } = readDocx(office, 20)
    expect(count).toBe(2)
    const [heading, first, second, grid] = pages[0]?.parts[0]?.blocks ?? []
    expect(heading).toMatchObject({ level: 1, align: 'center', before: 10, line: 24, inlines: [{ kind: 'text', text: '年度报告' }] })
    expect([first, second]).toMatchObject([{ mark: '（一）' }, { mark: '（二）' }])
    expect(grid).toMatchObject({ widths: [100, 50], rows: [{ cells: [{ rows: 2 }, { rows: 1 }] }, { cells: [{ rows: 1 }] }] })
    expect(pages[1]).toMatchObject({ width: 595, number: 2, parts: [{ columns: 1 }, { columns: 2, gap: 20 }] })
  })

  test('comes with its footnotes under the page that calls them, numbered as it says', () => {
    const call = (id: number, own = ''): string =>
      `<w:p><w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference ${own === '' ? '' : 'w:customMarkFollows="1" '}w:id="${id}"/>${own}</w:r></w:p>`
    const note = (id: number, mark: string): string =>
      `<w:footnote w:id="${id}"><w:p><w:r>${mark}</w:r><w:r><w:t>第${id}条</w:t></w:r></w:p></w:footnote>`
    const next = '<w:p><w:pPr><w:pageBreakBefore/></w:pPr></w:p>'
    const star = '<w:t>*</w:t>'
    const noted = packed({
      'word/document.xml': `<w:document><w:body>${call(1)}${call(2)}${next}${call(3, star)}${call(4)}${section('nextPage')}</w:body></w:document>`,
      'word/footnotes.xml': `<w:footnotes>${note(-1, '')}${[1, 2, 4].map((id) => note(id, '<w:footnoteRef/>')).join('')}${note(3, star)}</w:footnotes>`,
      'word/settings.xml':
        '<w:settings><w:footnotePr><w:numFmt w:val="decimalEnclosedCircle"/><w:numRestart w:val="eachPage"/></w:footnotePr></w:settings>',
    })
    const said = readDocx(noted, 20).pages.map(({ notes }) =>
      notes.flat().map((block) => block.kind === 'paragraph' && block.inlines.map((one) => (one.kind === 'text' ? one.text : '')).join('')),
    )
    expect(said).toEqual([
      ['①第1条', '②第2条'],
      ['*第3条', '①第4条'],
    ])
    expect(readDocx(noted, 20).pages[0]?.parts[0]?.blocks[0]).toMatchObject({ inlines: [{ text: '①', look: { script: 'super' } }] })
  })

  test('shows no more pages than asked for, and none where there is no document', () => {
    expect(readDocx(office, 1)).toMatchObject({ count: 2, pages: { length: 1 } })
    expect(() => readDocx(packed({ 'a.xml': '<a/>' }), 1)).toThrow(TypeError)
  })
})

test('a workbook comes with its numbers as they are shown, its merged cells and its looks', () => {
  const office = packed({
    'xl/workbook.xml': '<workbook><sheets><sheet name="收入" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': related('worksheets/sheet1.xml'),
    'xl/sharedStrings.xml': '<sst><si><t>项目</t></si><si><r><t>甲</t></r><r><t>乙</t></r></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/></numFmts><fonts><font/><font><b/></font></fonts><fills><fill/></fills><borders><border/></borders><cellXfs><xf/><xf fontId="1" numFmtId="4"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"/></row><row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>1234567.5</v></c><c r="C2" s="2"><v>45292</v></c></row></sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells></worksheet>',
  })
  const [grid] = readXlsx(office, 20).grids
  expect(grid?.name).toBe('收入')
  expect(grid?.rows[0]?.cells).toMatchObject([{ text: '项目', columns: 2 }])
  expect(grid?.rows[1]?.cells.map(({ text }) => text)).toEqual(['甲乙', '1,234,567.50', '2024年1月'])
  expect(grid?.rows[1]?.cells[1]).toMatchObject({ isNumber: true, look: { isBold: true } })
})

test.each([
  ['0.125', '0.0%', '12.5%'],
  ['-1234.5', '#,##0.00', '-1,234.50'],
  ['-3', '0;(0)', '(3)'],
  ['7', '000', '007'],
  ['88.5', '"¥"#,##0.00', '¥88.50'],
  ['45292.5', 'yyyy/mm/dd hh:mm', '2024/01/01 12:00'],
  ['12345678901234567890', 'General', '12345678901234567890'],
])('%s in the format %s is shown as %s', (digits, format, shown) => expect(numberText(digits, format)).toBe(shown))

test('slides come with text, tables and pictures in their places', () => {
  const xfrm = '<a:xfrm rot="5400000"><a:off x="127000" y="254000"/><a:ext cx="1270000" cy="635000"/></a:xfrm>'
  const text =
    '<p:txBody><a:bodyPr anchor="ctr"/><a:p><a:pPr algn="ctr"/><a:r><a:rPr sz="2400" b="1"/><a:t>标题</a:t></a:r></a:p></p:txBody>'
  const office = packed({
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/></p:presentation>',
    'ppt/_rels/presentation.xml.rels': related('slides/slide1.xml'),
    'ppt/slides/_rels/slide1.xml.rels': related('../media/image1.png'),
    'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree><p:sp><p:spPr>${xfrm}</p:spPr>${text}</p:sp><p:pic><p:blipFill><a:blip r:embed="rId1"/></p:blipFill><p:spPr>${xfrm}</p:spPr></p:pic></p:spTree></p:cSld></p:sld>`,
  })
  const { width, height, slides } = readPptx(office, 20)
  expect([width, height]).toEqual([960, 540])
  expect(slides[0]).toMatchObject([
    {
      left: 10,
      top: 20,
      width: 100,
      height: 50,
      turn: 90,
      content: { text: { anchor: 'center', paragraphs: [{ align: 'center', runs: [{ text: '标题', size: 24, isBold: true }] }] } },
    },
    { content: { path: 'ppt/media/image1.png' } },
  ])
})

test('an OFD comes with its characters, paths and pictures where they stand', () => {
  const page = `<ofd:Page><ofd:Content><ofd:Layer><ofd:TextObject Boundary="10 20 50 8" Font="3" Size="4"><ofd:FillColor Value="255 0 0"/><ofd:TextCode X="0" Y="4" DeltaX="g 2 4 3">年度报告</ofd:TextCode></ofd:TextObject><ofd:TextObject Boundary="10 30 50 8" Font="3" Stroke="true"><ofd:TextCode X="0" Y="4">粗</ofd:TextCode></ofd:TextObject><ofd:TextObject Boundary="10 40 50 8" Font="4"><ofd:TextCode X="0" Y="4">黑</ofd:TextCode></ofd:TextObject><ofd:PathObject Boundary="0 0 9 9" Stroke="false" Fill="true"><ofd:AbbreviatedData>M 0 0 L 9 0 B 1 1 2 2 3 3 C</ofd:AbbreviatedData></ofd:PathObject><ofd:ImageObject Boundary="5 5 30 40" CTM="30 0 0 40 0 0" ResourceID="9"/></ofd:Layer></ofd:Content></ofd:Page>`
  const office = packed({
    'OFD.xml': '<ofd:OFD><ofd:DocBody><ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot></ofd:DocBody></ofd:OFD>',
    'Doc_0/Document.xml':
      '<ofd:Document><ofd:CommonData><ofd:PageArea><ofd:PhysicalBox>0 0 210 297</ofd:PhysicalBox></ofd:PageArea><ofd:DocumentRes>DocumentRes.xml</ofd:DocumentRes></ofd:CommonData><ofd:Pages><ofd:Page ID="1" BaseLoc="Pages/Page_0/Content.xml"/></ofd:Pages></ofd:Document>',
    'Doc_0/DocumentRes.xml':
      '<ofd:Res BaseLoc="Res"><ofd:Fonts><ofd:Font ID="3" FontName="宋体"/><ofd:Font ID="4" FontName="黑体" Bold="true"/></ofd:Fonts><ofd:MultiMedias><ofd:MultiMedia ID="9"><ofd:MediaFile>a.png</ofd:MediaFile></ofd:MultiMedia></ofd:MultiMedias></ofd:Res>',
    'Doc_0/Pages/Page_0/Content.xml': page,
  })
  const { pages, count } = readOfd(office, 20)
  expect(count).toBe(1)
  expect(pages[0]).toMatchObject({ width: 210, height: 297 })
  expect(pages[0]?.things).toMatchObject([
    { kind: 'text', text: '年度报告', font: '宋体', xs: [0, 4, 8, 11], matrix: 'matrix(1 0 0 1 10 20)', isBold: false },
    { kind: 'text', text: '粗', isBold: true },
    { kind: 'text', text: '黑', font: '黑体', isBold: true },
    { kind: 'path', data: 'M 0 0 L 9 0 C 1 1 2 2 3 3 Z', stroke: undefined },
    { kind: 'picture', path: 'Doc_0/Res/a.png', matrix: 'matrix(30 0 0 40 5 5)' },
  ])
})

import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { drawn, drawnGrid, drawnLines, encrypted, pdfOf } from '../fixtures/pdfs.ts'
import { wordOf } from '../fixtures/word.ts'
import { AppError } from '#shared/errors/app-error'

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (thrown: unknown) => (thrown instanceof AppError ? thrown.code : thrown),
  )

/** Children of a kind, in order. */
const counted = (xml: string, tag: string): number => xml.split(new RegExp(`<${tag}[ />]`)).length - 1

test('lines that read as one are one paragraph of real text', async () => {
  const lines = [
    '轻图是一款图片与文档处理工具，可以把图片压缩到指定大小以内，',
    '也可以转换格式、更换背景，还可以把文档转成文字，全部只需几秒，',
    '结果与原文一致。',
  ]
  const { html, document } = await wordOf(pdfOf([{ content: drawnLines(lines, 60, 700, 14, 26) }]))
  expect(html).toContain(`<p>${lines.join('')}</p>`)
  expect(document).not.toMatch(/w:framePr|txbxContent/)
  expect(document).toMatch(/w:line="520" w:lineRule="exact"/)
})

test('a hyphen at a line end is one that Word may drop', async () => {
  const lines = ['The quick brown fox jumps over the lazy dog and con-', 'tinues to run through the large and very green woods', 'all day.']
  const { document } = await wordOf(pdfOf([{ content: drawnLines(lines, 60, 700) }]))
  expect(document).toMatch(/and con<\/w:t>.*<w:softHyphen\/>.*tinues to run/)
})

test('each page begins where it began, on paper of its own size', async () => {
  const { document } = await wordOf(
    pdfOf([
      { content: drawn('第一页的文字', 60, 700) },
      { content: drawn('第二页的文字', 60, 700) },
      { content: drawn('第三页横放', 60, 400), width: 842, height: 595 },
    ]),
  )
  expect(counted(document, 'w:pageBreakBefore')).toBe(1)
  expect(document.indexOf('w:pageBreakBefore')).toBeLessThan(document.indexOf('第二页'))
  expect(document.match(/<w:pgSz [^>]*>/g)).toEqual([
    '<w:pgSz w:w="11900" w:h="16840"/>',
    '<w:pgSz w:w="16840" w:h="11900" w:orient="landscape"/>',
  ])
})

test('a table is a table, its merged cells too', async () => {
  const content =
    drawnGrid([60, 210, 360], [700, 670, 640]) +
    drawn('项目', 70, 680) +
    drawn('金额', 220, 680) +
    drawn('营业收入', 70, 650) +
    drawn('1,234.50', 220, 650)
  const { html, document } = await wordOf(pdfOf([{ content }]))
  expect(html.replaceAll(/<\/?p>/g, '')).toContain(
    '<table><tr><td>项目</td><td>金额</td></tr><tr><td>营业收入</td><td>1,234.50</td></tr></table>',
  )
  expect(document).toContain('<w:gridCol w:w="3000"/>')
  expect(document).toMatch(/<w:tcBorders><w:top w:val="single"/)
})

test('marks of a list that counts are numbering, and are not written twice', async () => {
  const items = ['1. 打开需要转换的文件', '2. 选择输出的文件夹', '3. 开始转换并等待完成']
  const { html, parts } = await wordOf(pdfOf([{ content: drawnLines(items, 60, 700, 12, 30) }]))
  expect(html).toMatch(/<ol><li>打开需要转换的文件<\/li><li>选择输出的文件夹<\/li><li>开始转换并等待完成<\/li><\/ol>/)
  expect(parts.get('word/numbering.xml')).toMatch(/w:numFmt w:val="decimal".*w:lvlText w:val="%1\."/)
})

test('page numbers of running feet are fields', async () => {
  const page = (number: number) => ({
    content: drawn(`正文在第${'一二三四'[number - 1]}页`, 60, 700) + drawn(`- ${number} -`, 280, 40, 10),
  })
  const { parts, document } = await wordOf(pdfOf([1, 2, 3, 4].map(page)))
  expect([...parts].find(([path]) => path.startsWith('word/footer'))?.[1]).toMatch(/<w:fldSimple w:instr=" PAGE ">/)
  expect(document).toContain('w:footerReference')
  expect(document).not.toContain('- 3 -')
})

test.each([
  ['that counts them is a foot, as near the text as it may be', (page: number) => `A-${page}`, true],
  ['that counts nothing stays text', () => 'A-11', false],
])('a row at the end of pages %s', async (_, foot, isFoot) => {
  const lines = Array.from({ length: 54 }, (_line, at) => `This is line number ${at} of a page that is full to its very end`)
  const page = (number: number) => ({ content: drawnLines(lines, 60, 760, 9, 13) + drawn(foot(number), 280, 58, 9) })
  const { parts, document } = await wordOf(pdfOf([11, 12, 13].map(page)))
  expect([...parts.keys()].some((path) => path.startsWith('word/footer'))).toBe(isFoot)
  expect(document.includes('A-')).toBe(!isFoot)
})

test('text that runs downwards runs downwards, its lines from the right', async () => {
  const column = (text: string, x: number): string =>
    `BT /F3 16 Tf 1 0 0 1 ${x} 700 Tm <${Buffer.from(text, 'utf16le').swap16().toString('hex')}> Tj ET\n`
  const { html, document } = await wordOf(
    pdfOf([{ content: column('竖排的第一行文字从这里开始', 500) + column('第二行文字在它的左边', 400) }]),
  )
  expect(document).toContain('<w:textDirection w:val="tbRl"/>')
  expect(document).toMatch(/<w:pgSz w:w="11900" w:h="16840"\/>/)
  expect(html.indexOf('第一行')).toBeLessThan(html.indexOf('第二行'))
})

test('columns stay columns', async () => {
  const left = Array.from({ length: 8 }, (_, at) => `left column line number ${at + 1} is here`)
  const right = Array.from({ length: 8 }, (_, at) => `right column line number ${at + 1} is here`)
  const content = drawn('A title across the whole page', 200, 780, 18) + drawnLines(left, 50, 700, 11) + drawnLines(right, 320, 700, 11)
  const { document } = await wordOf(pdfOf([{ content }]))
  expect(document).toContain('<w:cols w:num="2"')
  expect(document.indexOf('left column')).toBeLessThan(document.indexOf('right column'))
})

test('sections of one page have its margins, and room under a table before columns', async () => {
  const left = Array.from({ length: 8 }, (_, at) => `left column line number ${at + 1} is here`)
  const right = Array.from({ length: 8 }, (_, at) => `right column line number ${at + 1}`)
  const table = drawnGrid([50, 250, 545], [780, 750, 720]) + drawn('Name', 60, 760, 11) + drawn('Number', 60, 730, 11)
  const { document } = await wordOf(pdfOf([{ content: table + drawnLines(left, 50, 660, 11) + drawnLines(right, 320, 660, 11) }]))
  const margins = [...document.matchAll(/<w:pgMar [^>]*w:right="(\d+)"[^>]*w:left="(\d+)"/g)].map(([, ...sides]) => sides)
  expect(margins).toHaveLength(2)
  expect(margins[0]).toEqual(margins[1])
  // An empty paragraph that a section ends with is dropped by some, the room below it too.
  const [, before] =
    /<w:spacing w:before="0" w:after="0" w:line="(\d+)" w:lineRule="exact"\/><\/w:pPr><\/w:p><w:p><w:pPr>(?:(?!<w:p>).)*<w:sectPr>/.exec(
      document,
    ) ?? []
  expect(Number(before)).toBeGreaterThan(600)
})

test('a drawing that stands in the text is there once', async () => {
  const disc =
    '1 0 0 rg 240 600 m 240 622 222 640 200 640 c 178 640 160 622 160 600 c 160 578 178 560 200 560 c 222 560 240 578 240 600 c f 0 g\n'
  const { document } = await wordOf(pdfOf([{ content: drawn('图上方的一行文字', 60, 700) + disc + drawn('图下方的一行文字', 60, 500) }]))
  expect(document.split('<pic:pic ')).toHaveLength(2)
  expect(document).not.toContain('<wps:wsp>')
})

test("a list's marks are Word's own, and stand nowhere else", async () => {
  const lines = ['1) Extract the words of the figure', '2) Classify them by their axis', '3) Extract the curves']
  const { html, document, parts } = await wordOf(pdfOf([{ content: drawn('Steps', 60, 730) + drawnLines(lines, 60, 700) }]))
  expect(html).toContain('<ol><li>Extract the words of the figure</li><li>Classify them by their axis</li><li>Extract the curves</li></ol>')
  expect(document).not.toMatch(/[123]\)/)
  expect(parts.get('word/numbering.xml')).toContain('w:lvlText w:val="%1)"')
})

test('turned text stands in a box of its own', async () => {
  const turned = 'BT /F1 12 Tf 0 1 -1 0 550 300 Tm (Turned by the side) Tj ET\n'
  const { document } = await wordOf(pdfOf([{ content: drawn('正文照常排列', 60, 700) + turned }]))
  expect(document).toMatch(/<wps:txbx>.*Turned by the side.*<wps:bodyPr vert="vert270"/)
})

test('pages, passwords and scans are told as everywhere', async () => {
  const pages = pdfOf([{ content: drawn('第一页', 60, 700) }, { content: drawn('第二页', 60, 700) }])
  expect((await wordOf(pages, { pages: '2' })).html).toContain('第二页')
  expect((await wordOf(pages, { pages: '2' })).html).not.toContain('第一页')
  expect(await codeOf(wordOf(await encrypted(pages, { user: 'a', owner: 'b' })))).toBe('pdf.password')
  expect(await codeOf(wordOf(pdfOf([{ content: '1 0 0 rg 0 0 100 100 re f' }])))).toBe('pdf.no-text')
})

/** A page-wide scan, and a seal that is a picture of its own. */
const SCAN = 'q 595 0 0 842 0 0 cm BI /W 1 /H 2 /BPC 8 /CS /G ID \u0000\u0080 EI Q\n'
const SEAL = 'q 80 0 0 80 400 100 cm BI /W 2 /H 1 /BPC 8 /CS /G ID \u0000\u0080 EI Q\n'
/** How wide its pictures are, in points. */
const picturesOf = (document: string): number[] => [...document.matchAll(/<wp:extent cx="(\d+)"/g)].map(([, cx]) => Number(cx) / 12_700)

test('of a scan with a text layer comes the text, and a note says so', async () => {
  const layer = `3 Tr 1 g ${drawnLines(['扫描件里的文字可以编辑，', '不再被整页的图片挡住。'], 60, 700)}0 Tr 0 g\n`
  const { note, html, document } = await wordOf(pdfOf([{ content: SCAN + layer + SEAL }]))
  expect(note).toEqual({ kind: 'text-layer' })
  expect(html).toContain('扫描件里的文字可以编辑，')
  expect(document).not.toMatch(/w:vanish|w:color w:val="FFFFFF"/i)
  expect(picturesOf(document)).toEqual([80])
})

test('text that lies beneath its scan is its text layer as well', async () => {
  const { note, html, document } = await wordOf(pdfOf([{ content: drawn('压在图片下面的文字', 60, 700) + SCAN }]))
  expect(note).toEqual({ kind: 'text-layer' })
  expect(html).toContain('压在图片下面的文字')
  expect(picturesOf(document)).toEqual([])
})

test('a picture of a page that text stands on stays under it', async () => {
  const { note, document } = await wordOf(pdfOf([{ content: SCAN + drawn('印在底图上的文字', 60, 700) }]))
  expect(note).toBeUndefined()
  expect(picturesOf(document)).toEqual([595])
})

test('a job that fails leaves no half of a document', async () => {
  await using folder = await testFolder()
  const scan = pdfOf([{ content: SCAN }])
  for (const tool of ['pdf-to-word', 'pdf-to-excel'] as const)
    await expect(runTool(tool, folder.path, scan, {}, 'a.pdf')).rejects.toMatchObject({ code: 'pdf.no-text' })
  const left = await readdir(folder.path, { recursive: true })
  expect(left.filter((name) => !name.startsWith('source-') && name.includes('/'))).toEqual([])
})

import { readFile } from 'node:fs/promises'
import mammoth from 'mammoth'
import readSheets from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { drawnTable, type DrawnTable } from '../fixtures/chinese-tables.ts'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { pagesOf } from '../fixtures/page-of.ts'
import { drawn, drawnLines, pdfOf } from '../fixtures/pdfs.ts'
import { checkWord } from '../fixtures/word.ts'
import type { Table } from '#engine/document/document-model'
import { layoutDocument } from '#engine/document/layout-document'

const HEAD = ['物资名称', '规格', '数量', '单价']
const items = (from: number, count: number): string[][] =>
  Array.from({ length: count }, (_, at) => [`第${from + at}号物资`, '标准件', String(from + at), `${from + at}.50`])

const table = (texts: readonly (readonly string[])[], more: Partial<DrawnTable> = {}): string =>
  drawnTable({ texts, columns: [60, 220, 320, 420, 530], drawing: 'grid', align: 'lcrr', top: 780, ...more })

/** Pages with these drawings and their numbers at the foot. */
const document = (...contents: readonly string[]): Buffer =>
  pdfOf(contents.map((content, at) => ({ content: content + drawn(`第 ${at + 1} 页`, 270, 30, 9) })))

const repeated = document(
  drawn('设备清单', 250, 780, 16) + table([HEAD, ...items(1, 30)], { top: 765 }),
  table([HEAD, ...items(31, 31)], { top: 800 }),
  table([HEAD, ...items(62, 8)], { top: 800 }) + drawnLines(['以上为全部设备。'], 60, 500),
)
const unrepeated = document(table([HEAD, ...items(1, 31)]), table(items(32, 8)))
const two = document(
  table([HEAD, ...items(1, 31)]),
  table([
    ['姓名', '部门', '工龄', '工资'],
    ['张三', '财务部', '12', '8,000.00'],
    ['李四', '销售部', '3', '7,000.00'],
  ]),
)

async function tablesOf(pdf: Buffer): Promise<readonly Pick<Table, 'headRows' | 'isContinued'>[]> {
  const { pages } = await layoutDocument(await pagesOf(pdf))
  const blocks = pages.flatMap(({ sections }) => sections.flatMap(({ columns }) => columns.flatMap((column) => column.blocks)))
  return blocks.flatMap((block) => (block.kind === 'table' ? [{ headRows: block.headRows, isContinued: block.isContinued }] : []))
}

/** What a tool makes of a PDF. */
async function madeOf(tool: 'pdf-to-word' | 'pdf-to-excel', pdf: Buffer): Promise<Buffer> {
  await using folder = await testFolder()
  const [output] = await runTool(tool, folder.path, pdf, {}, '清单.pdf')
  return readFile(output.path)
}

async function wordOf(pdf: Buffer) {
  const file = await madeOf('pdf-to-word', pdf)
  const xml = checkWord(file).get('word/document.xml') ?? ''
  const { value, messages } = await mammoth.convertToHtml({ buffer: file })
  expect(messages).toEqual([])
  const tables = value.split('<table>').slice(1)
  return { xml, tables: tables.map((one) => [...(one.split('</table>')[0] ?? '').matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) => row)) }
}

const isHead = (row: string): boolean => HEAD.every((text) => row.includes(text))

test('a table that says its head again on every page is one table, in Word and in Excel', async () => {
  expect(await tablesOf(repeated)).toEqual([
    { headRows: 1, isContinued: false },
    { headRows: 1, isContinued: true },
    { headRows: 1, isContinued: true },
  ])
  const { xml, tables } = await wordOf(repeated)
  expect(tables.map(({ length }) => length)).toEqual([70])
  expect(tables[0]?.filter(isHead)).toHaveLength(1)
  expect(xml.match(/<w:tblHeader\/>/g)).toHaveLength(1)
  const sheets = await readSheets(await madeOf('pdf-to-excel', repeated))
  expect(sheets).toHaveLength(1)
  expect(sheets[0]?.data).toEqual([HEAD, ...items(1, 69).map(([name, kind, count, price]) => [name, kind, Number(count), Number(price)])])
})

test('the rows of a new page stay on it: no room is left for them on the page before', async () => {
  const { xml } = await wordOf(repeated)
  const kept = xml.split('<w:tr>').filter((row) => row.includes('<w:keepNext/>'))
  expect(kept[0]).toContain('第31号物资')
  expect(kept.length).toBeGreaterThan(2)
  expect(xml).toMatch(/w:name="_page2"/)
})

test('a table that goes on without its head is one table too, and Word repeats no head', async () => {
  expect(await tablesOf(unrepeated)).toMatchObject([{ isContinued: false }, { isContinued: true, headRows: 0 }])
  const { xml, tables } = await wordOf(unrepeated)
  expect(tables.map(({ length }) => length)).toEqual([40])
  expect(xml).not.toContain('<w:tblHeader/>')
  const sheets = await readSheets(await madeOf('pdf-to-excel', unrepeated))
  expect(sheets.map(({ data }) => data.length)).toEqual([40])
})

test('another table at the top of the next page stays one of its own', async () => {
  expect(await tablesOf(two)).toMatchObject([{ isContinued: false }, { isContinued: false }])
  expect((await wordOf(two)).tables.map(({ length }) => length)).toEqual([32, 3])
  expect(await readSheets(await madeOf('pdf-to-excel', two))).toHaveLength(2)
})

test('the same head under a title, or far from the end of a page, begins another table', async () => {
  const titled = document(table([HEAD, ...items(1, 31)]), drawn('表2 备件清单', 240, 795, 12) + table([HEAD, ...items(1, 5)], { top: 770 }))
  const short = document(table([HEAD, ...items(1, 5)]), table([HEAD, ...items(1, 5)]))
  for (const pdf of [titled, short]) expect(await tablesOf(pdf)).toMatchObject([{ isContinued: false }, { isContinued: false }])
})

test('a table under 续表 goes on, in one sheet', async () => {
  const said = document(table([HEAD, ...items(1, 31)]), drawn('续表 1', 270, 795, 12) + table([HEAD, ...items(32, 5)], { top: 770 }))
  expect(await tablesOf(said)).toMatchObject([{ isContinued: false }, { isContinued: true, headRows: 1 }])
  expect((await readSheets(await madeOf('pdf-to-excel', said))).map(({ data }) => data.length)).toEqual([37])
})

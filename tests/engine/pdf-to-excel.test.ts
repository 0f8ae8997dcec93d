import { readFile } from 'node:fs/promises'
import readSheets from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { drawn, drawnGrid, drawnLines, pdfOf } from '../fixtures/pdfs.ts'
import { unzip } from '../fixtures/unzip.ts'

async function sheetsOf(pdf: Buffer, options: object = {}) {
  await using folder = await testFolder()
  const [output] = await runTool('pdf-to-excel', folder.path, pdf, options, '报表.pdf')
  expect(output).toMatchObject({ name: '报表.xlsx', format: 'xlsx' })
  return { sheets: await readSheets(await readFile(output.path)), note: output.note }
}

const COLUMNS = [60, 210, 360, 510]
const table = (rows: readonly (readonly string[])[], top = 700): string =>
  drawnGrid(
    COLUMNS,
    [...rows.keys(), rows.length].map((row) => top - row * 30),
  ) + rows.flatMap((row, r) => row.map((text, c) => drawn(text, (COLUMNS[c] ?? 0) + 8, top - 20 - r * 30))).join('')

const ROWS = [
  ['项目', '金额', '日期'],
  ['营业收入', '1,234.50', '2024-01-31'],
  ['净利润', '(1,200.00)', '2024-02-29'],
]

test('the tables of a PDF become sheets of numbers, dates and text', async () => {
  const pdf = pdfOf([{ content: drawn('销售月报', 250, 780, 20) + table(ROWS) }])
  const { sheets, note } = await sheetsOf(pdf)
  expect(note).toBeUndefined()
  expect(sheets).toEqual([
    {
      sheet: '第1页',
      data: [ROWS[0], ['营业收入', 1234.5, new Date('2024-01-31')], ['净利润', -1200, new Date('2024-02-29')]],
    },
  ])
})

test('by pages, text around the tables comes too', async () => {
  const pdf = pdfOf([{ content: drawn('销售月报', 70, 780, 20) + table(ROWS) }, { content: drawn('附注', 60, 700) }])
  const { sheets } = await sheetsOf(pdf, { sheets: 'page' })
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['第1页', '第2页'])
  expect(sheets[0]?.data[0]).toEqual(['销售月报', null, null])
  expect(sheets[0]?.data.at(-1)).toEqual(['净利润', -1200, new Date('2024-02-29')])
  expect(sheets[1]?.data).toEqual([['附注']])
})

test('without a table the text comes by pages, and a note says so', async () => {
  const { sheets, note } = await sheetsOf(pdfOf([{ content: drawnLines(['第一段文字。', '第二段文字。'], 60, 700, 12, 40) }]))
  expect(note).toEqual({ kind: 'no-table' })
  expect(sheets[0]?.data.flat().filter(Boolean)).toEqual(['第一段文字。', '第二段文字。'])
})

test('what is centred on a page is so over all columns of its sheet', async () => {
  await using folder = await testFolder()
  const content = drawn('各单位：', 60, 700) + drawn('关于印发行动方案的通知', 187, 780, 20) + drawn('正文第一行在这里。', 84, 660)
  const [output] = await runTool('pdf-to-excel', folder.path, pdfOf([{ content }]), {}, '公文.pdf')
  const sheet = (await unzip(await readFile(output.path))).get('xl/worksheets/sheet1.xml')?.toString('utf8') ?? ''
  expect(sheet).toContain('<c r="A1"')
  expect(sheet).toContain('<mergeCell ref="A1:C1"/>')
})

test('numbers stay text where that is asked for', async () => {
  const { sheets } = await sheetsOf(pdfOf([{ content: table(ROWS) }]), { typed: false })
  expect(sheets[0]?.data).toEqual(ROWS)
})

test('a scan says that it is one', async () => {
  const scan = pdfOf([{ content: 'q 595 0 0 842 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \u0080 EI Q' }])
  await expect(sheetsOf(scan)).rejects.toMatchObject({ code: 'pdf.no-text' })
})

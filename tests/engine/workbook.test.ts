import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import readSheets from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { pageOf, paragraphOf, runOf, tableOf } from '../fixtures/layouts.ts'
import { unzip } from '../fixtures/unzip.ts'
import type { PageLayout } from '#engine/document/document-model'
import { pageSheet } from '#engine/office/xlsx/page-sheet'
import { TableSheets } from '#engine/office/xlsx/table-sheets'
import { writeWorkbook } from '#engine/office/xlsx/workbook'

async function workbookOf(pages: readonly PageLayout[], by: 'table' | 'page' = 'table', isTyped = true) {
  await using folder = await testFolder()
  const path = join(folder.path, 'a.xlsx')
  const tables = new TableSheets({ isTyped })
  for (const page of pages) tables.add(page)
  const [first, ...others] = by === 'table' ? tables.end() : pages.map((page) => pageSheet(page, { isTyped }))
  if (!first) throw new Error('no sheets')
  const size = writeWorkbook(path, { madeAt: new Date(0), sheets: [first, ...others] })
  const bytes = await readFile(path)
  expect(bytes.length).toBe(size)
  const parts = await unzip(bytes)
  const part = (name: string): string => parts.get(name)?.toString('utf8') ?? ''
  return { sheets: await readSheets(bytes), part }
}

test('cells are numbers, dates and text as a spreadsheet knows them', async () => {
  const rows = [
    ['名称', '金额', '占比', '日期', '备注'],
    ['营业收入', '1,234.50', '12.5%', '2024年1月31日', '007'],
    ['营业成本', '(1,300.00)', '-3%', '2024-02-01', '=1+1'],
  ]
  const { sheets, part } = await workbookOf([pageOf([tableOf(rows)])])
  expect(sheets).toEqual([
    {
      sheet: '第1页',
      data: [
        rows[0],
        ['营业收入', 1234.5, 0.125, new Date('2024-01-31'), '007'],
        ['营业成本', -1300, -0.03, new Date('2024-02-01'), '=1+1'],
      ],
    },
  ])
  expect(part('xl/worksheets/sheet1.xml')).not.toContain('<f')
  expect(part('xl/styles.xml')).toContain('formatCode="#,##0.00;&quot;(&quot;#,##0.00&quot;)&quot;"')
})

test('everything is text where that is asked for', async () => {
  const { sheets } = await workbookOf([pageOf([tableOf([['1,234.50', '2024-02-01']])])], 'table', false)
  expect(sheets[0]?.data).toEqual([['1,234.50', '2024-02-01']])
})

test('whole numbers beside codes, and under the head of a name, are names', async () => {
  const rows = [
    ['股票代码', '简称', '排名', '工号'],
    ['600519', 'A', '1', '1001'],
    ['000001', 'B', '2', '0002'],
  ]
  const { sheets } = await workbookOf([pageOf([tableOf(rows)])])
  expect(sheets[0]?.data.slice(1)).toEqual([
    ['600519', 'A', 1, '1001'],
    ['000001', 'B', 2, '0002'],
  ])
})

test('a raised figure does not become part of a number', async () => {
  const note = { ...paragraphOf(['12']), runs: [runOf('12'), runOf('1', { script: 'super' })] }
  const { sheets, part } = await workbookOf([pageOf([tableOf([['a', '12']], {}, (text) => (text === '12' ? { blocks: [note] } : {}))])])
  expect(sheets[0]?.data).toEqual([['a', '121']])
  expect(part('xl/sharedStrings.xml')).toContain('<vertAlign val="superscript"/>')
})

test('a table on several pages is one sheet, its head there once', async () => {
  const head = ['名称', '数量']
  const pages = [
    pageOf([paragraphOf(['表1 设备清单'], 50, 80), tableOf([head, ['甲', '1']])], 1),
    pageOf([tableOf([head, ['乙', '2']], { isContinued: true }), tableOf([['其他', 'x', 'y']], { top: 300 })], 2),
  ]
  const { sheets } = await workbookOf(pages)
  expect(sheets).toEqual([
    {
      sheet: '表1 设备清单',
      data: [head, ['甲', 1], ['乙', 2]],
    },
    { sheet: '第2页表2', data: [['其他', 'x', 'y']] },
  ])
})

test('merged cells, sizes and looks are those of the page', async () => {
  const table = tableOf([['合计', '', '12']], {}, (text) =>
    text === '合计'
      ? { lastColumn: 1, fill: '#ffff00', blocks: [paragraphOf(['合计'], 50, 100, { isBold: true, colour: '#ff0000' })] }
      : {},
  )
  const { part } = await workbookOf([pageOf([{ ...table, cells: table.cells.filter(({ firstColumn }) => firstColumn !== 1) }])])
  const sheet = part('xl/worksheets/sheet1.xml')
  expect(sheet).toContain('<mergeCell ref="A1:B1"/>')
  expect(sheet).toContain('<row r="1" ht="20.00" customHeight="1">')
  expect(sheet).toContain('<col min="1" max="1" width="15.24" customWidth="1"/>')
  const styles = part('xl/styles.xml')
  expect(styles).toContain('<font><b/><color rgb="FFFF0000"/><sz val="10"/><name val="宋体"/></font>')
  expect(styles).toContain('<fgColor rgb="FFFFFF00"/>')
  expect(styles).toContain('<left style="thin"><color rgb="FF000000"/></left>')
})

test('by pages, text stands in rows around the tables', async () => {
  const blocks = [
    paragraphOf(['销售月报'], 200, 40),
    tableOf([
      ['名称', '数量'],
      ['甲', '1'],
    ]),
    paragraphOf(['说明：以上数据未经', '审计。'], 50, 200),
  ]
  const { sheets, part } = await workbookOf([pageOf(blocks), pageOf([paragraphOf(['第二页'])], 2)], 'page')
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['第1页', '第2页'])
  expect(sheets[0]?.data.filter((row) => row.some((cell) => cell !== null))).toEqual([
    [null, '销售月报'],
    ['名称', '数量'],
    ['甲', 1],
    ['说明：以上数据未经审计。', null],
  ])
  expect(part('xl/worksheets/sheet1.xml')).toContain('<mergeCell ref="A6:B6"/>')
})

test('characters no XML holds, and those Excel would read as others, do no harm', async () => {
  const { sheets, part } = await workbookOf([pageOf([tableOf([['a\u0001b', '_x0041_', '<&>"', '@SUM(A1)']])])])
  expect(sheets[0]?.data).toEqual([['ab', expect.stringMatching(/_x0041_$/), '<&>"', '@SUM(A1)']])
  expect(part('xl/sharedStrings.xml')).toContain('_x005F_x0041_')
})

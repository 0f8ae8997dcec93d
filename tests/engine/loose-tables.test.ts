import { expect, test } from 'vitest'
import { pageOf } from '../fixtures/page-of.ts'
import { drawn, drawnLines } from '../fixtures/pdfs.ts'
import type { Block } from '#engine/document/document-model'
import { layoutPage } from '#engine/document/layout-page'

const blocksOf = async (content: string): Promise<Block[]> =>
  layoutPage(await pageOf(content)).sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))
const textOf = (block: Block): string => (block.kind === 'paragraph' ? block.runs.map(({ text }) => text).join('') : '')
const tableTexts = (block: Block | undefined): string[][] => {
  if (block?.kind !== 'table') return []
  const rows = Array.from({ length: block.rows.length - 1 }, () => Array.from({ length: block.columns.length - 1 }, () => ''))
  for (const { firstRow, firstColumn, blocks } of block.cells) {
    const row = rows[firstRow]
    if (row) row[firstColumn] = blocks.map(textOf).join('')
  }
  return rows
}

/** Cells in columns, each from its left or, numbers, to its right. */
const drawnCells = (rows: readonly (readonly string[])[], xs: readonly number[], top: number): string =>
  rows.flatMap((row, at) => row.map((text, column) => drawn(text, xs[column] ?? 0, top - at * 20, 10))).join('')

test('columns of cells that nothing draws are a table, text around them is not', async () => {
  const rows = [
    ['品名', '规格', '单价', '数量', '金额'],
    ['签字笔', '黑色 0.5', '2.50', '100', '250.00'],
    ['复印纸', 'A4 70g', '22.00', '20', '440.00'],
    ['文件夹', '两孔', '6.80', '35', '238.00'],
  ]
  const content =
    drawn('本公司报价如下，请查收。', 60, 760) +
    drawnCells(rows, [60, 160, 280, 360, 440], 720) +
    drawn('以上价格均含税，有效期三十天。', 60, 610)
  const blocks = await blocksOf(content)
  expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'table', 'paragraph'])
  expect(tableTexts(blocks[1])).toEqual(rows)
})

test.each<[string, string]>([
  [
    'a table of contents',
    drawnCells(
      [
        ['第一章 总则 ............', '1'],
        ['第二章 管理 ............', '4'],
        ['第三章 监督 ............', '9'],
        ['第四章 附则 ............', '12'],
      ],
      [60, 480],
      700,
    ),
  ],
  [
    'a list',
    drawnCells(
      [
        ['1.', '先打开电源开关'],
        ['2.', '再等指示灯变绿'],
        ['3.', '放入需要处理的纸张'],
        ['4.', '按下开始按钮'],
      ],
      [60, 90],
      700,
    ),
  ],
  [
    'code',
    drawnCells(
      [
        ['header', 'SES_Header,', '-- head'],
        ['esID', 'IA5String,', '-- id'],
        ['property', 'SES_Property,', '-- info'],
        ['picture', 'SES_Picture', '-- data'],
      ],
      [60, 160, 300],
      700,
    ),
  ],
  [
    'two columns of prose',
    drawnLines(
      Array.from({ length: 8 }, () => '左栏的文字从左到右写满一行，接着换行'),
      50,
      700,
      11,
    ) +
      drawnLines(
        Array.from({ length: 8 }, () => '右栏的文字也从左到右写满，再换一行'),
        320,
        700,
        11,
      ),
  ],
])('is no table: %s', async (_title, content) => {
  expect((await blocksOf(content)).map(({ kind }) => kind)).not.toContain('table')
})

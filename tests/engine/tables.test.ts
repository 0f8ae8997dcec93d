import { expect, test } from 'vitest'
import { pageOf } from '../fixtures/page-of.ts'
import { drawn, drawnGrid } from '../fixtures/pdfs.ts'
import { textPieces } from '#engine/document/pieces'
import { piecesByCell } from '#engine/document/tables/cell-pieces'
import { drawnTables } from '#engine/document/tables/drawn-tables'
import type { TableShell } from '#engine/document/tables/table-shell'
import type { PageModel } from '#engine/pdf/page-model'

const upright = (page: PageModel) => textPieces(page).find(({ turn }) => turn === 0)?.pieces ?? []
const tablesOf = (page: PageModel) => drawnTables(page, upright(page))
const textsOf = (table: TableShell, page: PageModel): string[] =>
  piecesByCell(table, upright(page)).map((pieces) => pieces.map(({ text }) => text).join(' '))

test('a ruled table holds its text, spans, borders and fills', async () => {
  // Three columns and two rows; the head is one cell over two columns on grey, with nothing drawn between them.
  const content = `0.8 g 60 660 300 40 re f 0 g 1 0 0 RG 2 w 60 700 m 510 700 l S 0 G 1 w
    60 660 m 510 660 l S 60 620 m 510 620 l S 60 700 m 60 620 l S 360 700 m 360 620 l S 210 660 m 210 620 l S 510 700 m 510 620 l S
    ${drawn('产品与金额', 70, 675)}${drawn('备注', 370, 675)}${drawn('营业收入', 70, 635)}${drawn('170', 220, 635)}${drawn('无', 370, 635)}`
  const page = await pageOf(content)
  const [table, ...others] = tablesOf(page)
  expect(others).toEqual([])
  const cells = table?.cells ?? []
  const texts = table ? textsOf(table, page) : []
  expect(cells.map((cell, at) => [texts[at], cell.firstRow, cell.firstColumn, cell.lastColumn])).toEqual([
    ['产品与金额', 0, 0, 1],
    ['备注', 0, 2, 2],
    ['营业收入', 1, 0, 0],
    ['170', 1, 1, 1],
    ['无', 1, 2, 2],
  ])
  expect(cells[0]).toMatchObject({ fill: '#cccccc', borders: { top: { width: 2, colour: '#ff0000' }, bottom: { width: 1 } } })
  expect(cells[1]?.fill).toBeUndefined()
})

test('a table within a cell of another is that cell’s', async () => {
  const within = drawnGrid([250, 320, 390], [690, 660, 630]) + drawn('内甲', 255, 670) + drawn('内乙', 325, 640)
  const content = drawnGrid([60, 210, 510], [700, 620, 580]) + drawn('外', 70, 650) + drawn('下', 70, 590) + within
  const page = await pageOf(content)
  const [table, ...others] = tablesOf(page)
  expect(others).toEqual([])
  const cell = table?.cells.find(({ tables }) => tables.length > 0)
  expect(cell).toMatchObject({ firstRow: 0, firstColumn: 1 })
  const [inner] = cell?.tables ?? []
  expect(inner && textsOf(inner, page)).toEqual(['内甲', '', '', '内乙'])
})

test('a table of rules across only (三线表) has its heads over several columns', async () => {
  const across = (y: number, from = 80, to = 500) => `${from} ${y} m ${to} ${y} l S\n`
  const rows = [
    ['甲组', '12.5', '3.1', '40.2', '0.05'],
    ['乙组', '9.8', '2.7', '38.4', '0.01'],
    ['丙组', '11.0', '2.9', '39.9', '0.20'],
  ]
  const xs = [90, 180, 260, 340, 420]
  const content = [
    across(700),
    across(676, 175, 310),
    across(676, 335, 470),
    across(652),
    across(580),
    drawn('治疗前', 215, 682, 10),
    drawn('治疗后', 375, 682, 10),
    ...['组别', '均值', '标准差', '均值', '标准差'].map((text, at) => drawn(text, xs[at] ?? 0, 660, 10)),
    ...rows.flatMap((row, at) => row.map((text, column) => drawn(text, xs[column] ?? 0, 638 - at * 22, 10))),
    drawn('注：数据来自本次调查，括号内为样本数，结果仅供参考。', 80, 565, 9),
  ].join('')
  const page = await pageOf(content)
  const [table, ...others] = tablesOf(page)
  expect(others).toEqual([])
  const texts = table ? textsOf(table, page) : []
  const filled = table?.cells
    .map((cell, at) => [texts[at], cell.firstRow, cell.firstColumn, cell.lastColumn])
    .filter(([text]) => text !== '')
  expect(filled).toEqual([
    ['治疗前', 0, 1, 2],
    ['治疗后', 0, 3, 4],
    ...['组别', '均值', '标准差', '均值', '标准差'].map((text, at) => [text, 1, at, at]),
    ...rows.flatMap((row, at) => row.map((text, column) => [text, at + 2, column, column])),
  ])
  expect(table?.headRows).toBe(2)
})

test('prose between the rules of a page’s head and foot is no table', async () => {
  const lines = Array.from({ length: 20 }, (_, at) =>
    drawn('本段文字从左到右写满一行，不是表格里的内容，读起来是连续的句子。', 80, 700 - at * 20, 12),
  )
  const content = `80 730 m 500 730 l S 80 280 m 500 280 l S ${lines.join('')}`
  expect(tablesOf(await pageOf(content))).toEqual([])
})

test('a chart is no table, a table with a parted head cell is one', async () => {
  const grid = drawnGrid([100, 200, 300, 400], [700, 650, 600, 550])
  const texts = ['甲', '乙', '丙'].map((text, at) => drawn(text, 110 + at * 100, 660)).join('') + drawn('丁', 110, 610)
  const curves = [0, 30, 60].map((y) => `105 ${560 + y} m 180 ${640 + y / 2} l 290 ${570 + y} l 390 ${630 + y / 2} l S\n`).join('')
  expect(tablesOf(await pageOf(grid + texts + curves))).toEqual([])
  expect(tablesOf(await pageOf(`${grid}${texts}100 700 m 200 650 l S`))).toHaveLength(1)
})

test('rows and columns are told by their text where rules between them are left out', async () => {
  const rows = [
    ['北京', '12.5', '340'],
    ['上海', '9.8', '275'],
    ['广州', '7.1', '198'],
    ['深圳', '8.4', '226'],
  ]
  const head = ['城市', '增速', '总额'].map((text, at) => drawn(text, 90 + at * 130, 680, 10)).join('')
  const body = rows.flatMap((row, at) => row.map((text, column) => drawn(text, 90 + column * 130, 650 - at * 18, 10))).join('')
  const onlyDown = drawnGrid([80, 210, 340, 470], [700, 670, 580])
  const onlyAcross = `80 700 m 470 700 l S 80 670 m 470 670 l S 80 580 m 470 580 l S 80 700 m 80 580 l S 470 700 m 470 580 l S
    80 640 m 470 640 l S 80 622 m 470 622 l S 80 604 m 470 604 l S 210 700 m 210 670 l S 340 700 m 340 670 l S\n`
  for (const rules of [onlyDown, onlyAcross]) {
    const page = await pageOf(rules + head + body)
    const [table] = tablesOf(page)
    const texts = table ? textsOf(table, page) : []
    expect(table?.cells.map((cell, at) => [texts[at], cell.firstRow, cell.firstColumn])).toEqual(
      [['城市', '增速', '总额'], ...rows].flatMap((row, at) => row.map((text, column) => [text, at, column])),
    )
  }
})

test('a head of cells that are filled one by one, a row of two lines under it, and the sums below its last rule are the table’s', async () => {
  const edges = [60, 78, 260, 340, 420, 540]
  const fills = edges
    .slice(1)
    .map((right, at) => `${edges[at]} 700 ${right - (edges[at] ?? 0)} 20 re f\n`)
    .join('')
  const cells = (texts: readonly string[], y: number) => texts.map((text, at) => drawn(text, (edges[at] ?? 0) + 3, y, 9)).join('')
  const rules = [672, 652, 632].map((y) => `60 ${y} m 540 ${y} l S\n`).join('')
  const page = await pageOf(
    `0.1 0.66 0.4 rg ${fills}0 g 0.5 w ${rules}` +
      cells(['#', '品名', '型号', '数量', '金额'], 706) +
      cells(['1', '', 'QT-S600', '4', '12,464.00'], 682) +
      drawn('高速扫描仪', 81, 688, 9) +
      drawn('双面，每分钟六十页', 81, 677, 7) +
      cells(['2', '便携式投影仪', 'QT-P20', '2', '5,198.00'], 658) +
      cells(['3', '安装与培训', '现场', '1', '3,000.00'], 638) +
      cells(['', '', '', '小计', '20,662.00'], 618) +
      cells(['', '', '', '合计', '￥23,348.06'], 600),
  )
  const [table, ...others] = tablesOf(page)
  expect(others).toEqual([])
  const texts = table ? textsOf(table, page) : []
  expect(texts.filter((text) => text !== '').slice(-4)).toEqual(['小计', '20,662.00', '合计', '￥23,348.06'])
  expect(texts.slice(0, 10)).toEqual([
    '#',
    '品名',
    '型号',
    '数量',
    '金额',
    '1',
    '高速扫描仪 双面，每分钟六十页',
    'QT-S600',
    '4',
    '12,464.00',
  ])
  expect(table?.rows).toHaveLength(7)
})

test('borders that are painted dot by dot part rows as rules do, and say nothing of columns', async () => {
  const dots = (y: number, phase: number) =>
    Array.from({ length: 200 }, (_, at) => `${60 + phase + at * 2.25} ${y} 0.75 0.75 re\n`).join('')
  const solid = (y: number) => [60, 160, 260, 380].map((x, at) => `${x} ${y} ${[100, 100, 120, 130][at]} 0.75 re\n`).join('')
  const rows = ['2026-10-01 工资 5,000.00 12,881.50', '2026-10-02 消费 80.19 12,801.31', '2026-10-03 转账 159.38 12,641.93'].map((row) =>
    row.split(' '),
  )
  const cells = (texts: readonly string[], y: number) => texts.map((text, at) => drawn(text, [63, 163, 263, 383][at] ?? 0, y, 9)).join('')
  const page = await pageOf(
    `${solid(700)}${solid(680)}${solid(620)}f 0.6 g ${dots(660, 0)}${dots(640, 1.1)}f 0 g ` +
      cells(['日期', '摘要', '金额', '余额'], 686) +
      rows.map((row, at) => cells(row, 666 - at * 20)).join('') +
      drawn('合计', 63, 606, 9) +
      drawn('5,239.57', 263, 606, 9) +
      drawn('38,324.74', 383, 606, 9),
  )
  expect(page.fills).toHaveLength(0)
  const [table, ...others] = tablesOf(page)
  expect(others).toEqual([])
  expect(table?.columns).toHaveLength(5)
  expect(table && textsOf(table, page).filter((text) => text !== '')).toEqual([
    '日期',
    '摘要',
    '金额',
    '余额',
    ...rows.flat(),
    '合计',
    '5,239.57',
    '38,324.74',
  ])
  expect(table?.cells.find(({ firstRow }) => firstRow === 1)?.borders.bottom).toMatchObject({ isDashed: true, colour: '#999999' })
})

test('what stands in columns in the middle of a frame, as an invoice’s items do, is cells of the frame', async () => {
  const row = (texts: readonly string[], y: number) => texts.map((text, at) => drawn(text, 66 + at * 90, y, 9)).join('')
  const frame =
    '60 720 m 520 720 l S 60 690 m 520 690 l S 60 560 m 520 560 l S 60 530 m 520 530 l S 60 720 m 60 530 l S 520 720 m 520 530 l S '
  const page = await pageOf(
    `${frame}290 720 m 290 690 l S 150 560 m 150 530 l S ` +
      drawn('购买方：上海远航', 66, 702, 9) +
      drawn('销售方：杭州轻图', 296, 702, 9) +
      row(['项目名称', '规格型号', '单位', '金额', '税额'], 674) +
      row(['图像处理软件', '企业版', '套', '16981.13', '1018.87'], 650) +
      row(['高速扫描仪', 'QT-S600', '台', '11610.62', '1509.38'], 632) +
      drawn('合计', 66, 570, 9) +
      drawn('28591.75', 336, 570, 9) +
      drawn('2528.25', 426, 570, 9) +
      drawn('价税合计', 66, 542, 9) +
      drawn('叁万壹仟壹佰贰拾圆整', 156, 542, 9),
  )
  const [table, ...others] = tablesOf(page)
  expect(others).toEqual([])
  const texts = table ? textsOf(table, page) : []
  const said = table?.cells.flatMap(({ firstRow, lastRow, firstColumn, lastColumn }, at) =>
    texts[at] === '' ? [] : [[texts[at], firstRow, lastRow - firstRow + 1, lastColumn - firstColumn + 1 > 1]],
  )
  expect(said?.filter(([text]) => /购买方|销售方|价税|叁万/.test(String(text))).map(([, , rows, isWide]) => [rows, isWide])).toEqual([
    [1, true],
    [1, true],
    [1, true],
    [1, true],
  ])
  const items = said?.filter(([, at]) => at === 2).map(([text]) => text)
  expect(items).toEqual(['图像处理软件', '企业版', '套', '16981.13', '1018.87'])
  const amount = table?.cells.find((_, at) => texts[at] === '16981.13')
  expect(amount?.borders).toEqual({})
})

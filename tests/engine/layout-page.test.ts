import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { drawn, drawnGrid, drawnLines, pdfOf } from '../fixtures/pdfs.ts'
import type { Block, PageLayout } from '#engine/document/document-model'
import { layoutPage } from '#engine/document/layout-page'
import { textOf } from '#engine/document/lines'
import { pageText } from '#engine/document/plain-text'
import { openPdf } from '#engine/pdf/open-pdf'

async function layoutOf(content: string): Promise<PageLayout> {
  await using folder = await testFolder()
  const path = join(folder.path, 'page.pdf')
  await writeFile(path, pdfOf([{ content }]))
  const pdf = await openPdf(path, { maxPages: 1 })
  const layout = layoutPage(await pdf.page(1))
  await pdf.close()
  return layout
}

const blocksOf = ({ sections }: PageLayout): readonly Block[] => sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))
const paragraphs = (blocks: readonly Block[]) => blocks.filter((block) => block.kind === 'paragraph')

test('lines become paragraphs, with their alignment, indent and pitch', async () => {
  const body = [
    '　　轻图是一款图片与文档处理工具，可以把图片压缩到指定大',
    '小以内，也可以转换格式、更换背景，还可以把文档转成文字，',
    '全部完成。',
  ]
  const content = drawn('产品说明', 244, 780, 20) + drawnLines(body, 60, 720, 16, 26)
  const [title, text] = paragraphs(blocksOf(await layoutOf(content)))
  expect(title).toMatchObject({ align: 'centre', runs: [{ text: '产品说明', style: { size: 20, colour: '#000000' } }] })
  expect(text).toMatchObject({ align: 'justify', pitch: 26, left: 60 })
  expect(text?.firstLeft).toBeCloseTo(92, 0)
  expect(text?.lines).toHaveLength(3)
})

test('columns are sections of several columns, each with its own blocks', async () => {
  const left = Array.from({ length: 8 }, (_, at) => `left column line number ${at + 1} is here`)
  const right = Array.from({ length: 8 }, (_, at) => `right column line number ${at + 1} is here`)
  const content = drawn('A title across the whole page', 200, 780, 18) + drawnLines(left, 50, 700, 11) + drawnLines(right, 320, 700, 11)
  const { sections } = await layoutOf(content)
  expect(sections.map(({ columns }) => columns.length)).toEqual([1, 2])
  expect(sections[1]?.columns.map(({ left: at }) => at)).toEqual([50, 320])
})

test('a drawn table holds paragraphs in its cells, with borders and fills', async () => {
  const content = `0.8 0.9 1 rg 60 660 150 40 re f 0 g ${drawnGrid([60, 210, 360], [700, 660, 620])}${drawn('项目', 70, 680)}${drawn('金额', 220, 680)}`
  const [table] = blocksOf(await layoutOf(content))
  expect(table).toMatchObject({ kind: 'table', columns: [60, 210, 360], rows: [142, 182, 222] })
  if (table?.kind !== 'table') throw new Error('no table')
  const [first, second] = table.cells
  expect(first).toMatchObject({ fill: '#cce6ff', borders: { top: { width: 1 }, left: { width: 1 } } })
  expect([first, second].map((cell) => paragraphs(cell?.blocks ?? []).map(({ runs }) => textOf(runs)))).toEqual([['项目'], ['金额']])
})

test('lists keep their marks apart from their text, with numbers and levels', async () => {
  const lines = ['1. The first item of this list is so long that it takes a second line', '2. Second item', '3. Third item']
  const [first = '', ...rest] = lines
  const content =
    drawn(first, 60, 700) +
    drawn('of letters', 73, 682) +
    drawnLines(rest, 60, 664) +
    drawn('a) Within', 90, 628) +
    drawn('b) Also', 90, 610)
  const items = paragraphs(blocksOf(await layoutOf(content)))
  expect(items.map(({ list }) => [list?.text, list?.number, list?.level])).toEqual([
    ['1.', 1, 0],
    ['2.', 2, 0],
    ['3.', 3, 0],
    ['a)', 1, 1],
    ['b)', 2, 1],
  ])
  expect(textOf(items[0]?.runs ?? [])).toBe('The first item of this list is so long that it takes a second line of letters')
})

test('an item goes on left of where its text begins, where its number is wider than its room', async () => {
  const lines = ['甲方房屋坐落于杭州市西湖区文三路四百七十八号，建筑面', '积三百五十六平方米，作办公之用，不得改作他用，也不得转', '租。']
  const [first = '', second = '', third = ''] = lines
  const content = drawn('（1）', 111, 700) + drawn(first, 161, 700) + drawn(second, 132, 674) + drawn(third, 132, 648)
  const [item, ...others] = paragraphs(blocksOf(await layoutOf(`${content}${drawn('（2）', 111, 622)}${drawn('第二项。', 161, 622)}`)))
  expect(others).toHaveLength(1)
  expect(textOf(item?.runs ?? [])).toBe(lines.join(''))
  expect(item).toMatchObject({ list: { text: '（1）' }, left: 132 })
})

test('dots of a table of contents are a tab with a leader to a stop at the right', async () => {
  const entries = ['General provisions ..................................', 'Final provisions .....................................']
  const content = drawnLines(entries, 60, 700) + drawn('1', 300, 700) + drawn('12', 293.3, 682)
  const [entry, last] = paragraphs(blocksOf(await layoutOf(content)))
  expect(textOf(entry?.runs ?? [])).toBe('General provisions\t1')
  expect(textOf(last?.runs ?? [])).toBe('Final provisions\t12')
  expect(entry?.stops).toMatchObject([{ align: 'right', leader: '.' }])
  expect(entry?.stops[0]?.at).toBeCloseTo(306.7, 0)
  expect(pageText(await layoutOf(content), 'paragraph')).toEqual([
    entries[0]?.replace(' .', '.') + '1',
    entries[1]?.replace(' .', '.') + '12',
  ])
})

test('blanks to be filled in and an ellipsis of a sentence are text', async () => {
  const lines = ['（1）________，长河落日圆。', '（2）采菊东篱下，________。', '________，自将磨洗认前朝。', '他说……那就这样吧。']
  expect(pageText(await layoutOf(drawnLines(lines, 60, 700, 12, 30)), 'paragraph')).toEqual(lines)
})

test('text that runs aslant is apart from what it lies over, in the colour it is seen in', async () => {
  const aslant = (text: string, x: number, y: number) =>
    drawn(text, 0, 0, 60, 'F1').replace('1 0 0 1 0 0 Tm', `0.866 0.5 -0.5 0.866 ${x} ${y} Tm`)
  const lines = Array.from({ length: 8 }, (_, at) => `line number ${at + 1} of the text under a mark of water`)
  const layout = await layoutOf(`${drawnLines(lines, 60, 700, 12, 24)}0.5 g ${aslant('SECRET', 120, 540)}`)
  expect(pageText(layout, 'line')).toEqual([...lines, 'SECRET'])
  const [mark] = layout.floating
  expect(mark).toMatchObject({
    turn: 0,
    isVertical: false,
    paragraph: { runs: [{ text: 'SECRET', style: { size: 60, colour: '#808080' } }] },
  })
  expect(mark?.slant).toBeCloseTo(-Math.PI / 6, 2)
  const [x, y] = [((mark?.box.left ?? 0) + (mark?.box.right ?? 0)) / 2, ((mark?.box.top ?? 0) + (mark?.box.bottom ?? 0)) / 2]
  expect([x > 180 && x < 260, y > 200 && y < 320]).toEqual([true, true])
})

test('a newspaper’s three columns between rules are no table', async () => {
  const prose = '各级各部门要充分认识做好此项工'
  const column = (x: number, y: number) =>
    drawnLines(
      Array.from({ length: 12 }, (_, at) => (at % 6 === 5 ? '实际。' : prose)),
      x,
      y,
      10,
      15,
    )
  const rules = '50 720 m 545 720 l S 50 510 m 545 510 l S '
  const { sections } = await layoutOf(`${rules}${column(50, 700)}${column(220, 704)}${column(390, 696)}`)
  expect(sections.map(({ columns }) => columns.map(({ left }) => left))).toEqual([[50, 220, 390]])
})

test('letters one below the other that fill a page are vertical writing', async () => {
  const down = (text: string, x: number) => Array.from(text, (letter, at) => drawn(letter, x, 700 - 14 * at, 14)).join('')
  const layout = await layoutOf(down('晋太元中武陵人捕鱼为业', 500) + down('缘溪行忘路之远近', 470))
  expect(layout.isVertical).toBe(true)
  expect(pageText(layout, 'line')).toEqual(['晋太元中武陵人捕鱼为业', '缘溪行忘路之远近'])
})

test('a page’s number between two signs is no item of a list; a date with room for its day stays at its side', async () => {
  const grid =
    drawnGrid([60, 160, 540], [700, 660, 600]) + drawn('姓名', 70, 680, 10) + drawn('陈建国', 170, 680, 10) + drawn('意见', 70, 620, 10)
  const layout = await layoutOf(
    `${grid}${drawn('年', 440, 620, 10)}${drawn('月', 475, 620, 10)}${drawn('日', 526, 620, 10)}${drawn('· 3 ·', 290, 400, 10)}`,
  )
  const [table, number] = blocksOf(layout)
  if (table?.kind !== 'table') throw new Error('no table')
  expect(table.cells[3]?.blocks).toMatchObject([{ align: 'right', stops: [] }])
  expect(paragraphs(table.cells[3]?.blocks ?? []).map(({ runs }) => textOf(runs))).toEqual(['年　　　月　　　　日'])
  expect(number).not.toHaveProperty('list')
})

/** A line with a part raised or lowered, in the size that browsers give it: each part's text, and how far up it stands in points. */
function scripted(parts: readonly (readonly [text: string, up?: number])[], x: number, y: number, size: number): string {
  let at = x
  return parts
    .map(([text, up]) => {
      const own = up === undefined ? size : size / 1.2
      const piece = drawn(text, at, y + (up ?? 0), own, 'F2')
      at += [...text].length * own
      return piece
    })
    .join('')
}

test('letters that browsers raise and lower stay in their line, beside another column’s of another size too', async () => {
  const formula: [string, number?][] = [
    ['M'],
    ['乙', -2.9],
    ['＝σ（W'],
    ['甲', -2.9],
    ['）＋x'],
    ['二', 4.4],
    ['，其中W'],
    ['丙', -2.9],
    ['、'],
  ]
  const left = [
    '式中各量如下所示，均为无量纲，',
    '',
    '其余各量见前文所述，不再重复。',
    '以上各式均在稳态下成立，并且',
    '与实验结果符合得较好，见下表',
  ]
  const right = Array.from({ length: 5 }, (_, at) => `第${at + 1}组样本在三种条件下的测量结果都列在附录的表中`)
  const content = drawnLines(left, 60, 700, 11, 17) + scripted(formula, 60, 683, 11) + drawnLines(right, 320, 702.8, 9, 17)
  const runs = paragraphs(blocksOf(await layoutOf(content))).flatMap((paragraph) => paragraph.runs)
  expect(textOf(runs)).toContain('M乙＝σ（W甲）＋x二，其中W丙、')
  expect(runs.flatMap(({ text, style }) => (style.script ? [[text, style.script]] : []))).toEqual([
    ['乙', 'sub'],
    ['甲', 'sub'],
    ['二', 'super'],
    ['丙', 'sub'],
  ])
})

test('brackets to write in stay a pair, and the gutter of a page is the gap that most lines stand around', async () => {
  const left = [
    '1．下列各数中是无理数的一项是（',
    '甲．0.5和0.25都是有限小数，乙．不是',
    '2．关于y轴的对称点的坐标为（',
    '丙．三五都不对，丁．五三也都不对',
    '3．一次函数的图象不经过的象限是',
    '第二象限、第三象限或者第四象限。',
  ]
  const right = [
    '10．某商店购进甲、乙两种商品，',
    '进价与售价如下表，问各购进多少',
    '件；若全部售出，获利不少于760',
    '元，且甲的件数不多于50件，问共',
    '有几种进货方案，并写出过程来。',
  ]
  const content =
    drawnLines(left, 40, 700, 11, 18) +
    drawn('）', 40 + 16 * 11 + 22, 700, 11) +
    drawn('）', 40 + 15 * 11 + 33, 664, 11) +
    drawnLines(right, 310, 664, 11, 18)
  const { sections } = await layoutOf(content)
  const columns = sections.flatMap(({ columns: own }) => own.map(({ blocks }) => paragraphs(blocks).map(({ runs }) => textOf(runs))))
  expect(columns).toHaveLength(2)
  expect(columns[0]?.join('')).toMatch(/一项是（\u3000{2}）.*坐标为（\u3000{3}）/)
  expect(columns[1]?.join('')).toBe(right.join(''))
})

test('a date under a name, and one label after another, are lines of their own', async () => {
  const letter = drawn('江海市人民政府', 346, 700, 16) + drawn('2026年11月18日', 350, 672, 16)
  const account = drawnLines(['开户行：招商银行杭州文三路支行', '账号：5719000012345678901', '税号：91330106MA2XXXXX0K'], 60, 600, 9, 14)
  const texts = paragraphs(blocksOf(await layoutOf(letter + account))).map(({ runs }) => textOf(runs))
  expect(texts).toEqual([
    '江海市人民政府',
    '2026年11月18日',
    '开户行：招商银行杭州文三路支行',
    '账号：5719000012345678901',
    '税号：91330106MA2XXXXX0K',
  ])
})

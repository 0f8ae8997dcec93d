import { expect, test } from 'vitest'
import { drawn, drawnGrid } from '../fixtures/pdfs.ts'
import { pageOf } from '../fixtures/page-of.ts'
import type { Run } from '#engine/document/document-model'
import { layoutPage } from '#engine/document/layout-page'

const runsOf = async (content: string): Promise<readonly Run[]> =>
  layoutPage(await pageOf(content)).sections.flatMap(({ columns }) =>
    columns.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'paragraph' ? block.runs : []))),
  )

const text = drawn('plain marked plain', 60, 700, 20)
/** Helvetica's widths: `plain ` ends at 52.26, `marked` at 120.04 of 20 points. */
const [from, to] = [60 + 51.2, 60 + 116]

test('lines under letters and through them are those letters’ look', async () => {
  const under = await runsOf(`${text}1 w ${from} 697 m ${to} 697 l S`)
  expect(under.filter(({ style }) => style.isUnderlined).map((run) => run.text.trim())).toEqual(['marked'])
  const through = await runsOf(`${text}1 w ${from} 706 m ${to} 706 l S`)
  expect(through.filter(({ style }) => style.isStruck).map((run) => run.text.trim())).toEqual(['marked'])
})

test('a colour behind some letters is a highlight', async () => {
  const runs = await runsOf(`1 1 0 rg ${from} 695 ${to - from} 22 re f 0 g ${text}`)
  expect(runs.filter(({ style }) => style.highlight === '#ffff00').map((run) => run.text.trim())).toEqual(['marked'])
})

test('rules of a table underline nothing', async () => {
  const page = await pageOf(drawnGrid([60, 200, 340], [720, 696, 672]) + drawn('one cell', 62, 700) + drawn('another', 202, 700))
  const [block] = layoutPage(page).sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))
  if (block?.kind !== 'table') throw new Error('no table')
  const runs = block.cells.flatMap((cell) => cell.blocks.flatMap((one) => (one.kind === 'paragraph' ? one.runs : [])))
  expect(runs.map((run) => [run.text, run.style.isUnderlined])).toEqual([
    ['one cell', false],
    ['another', false],
  ])
})

test('a line of a form that is partly written on is text: underlined where it is written on, underscores where it is not', async () => {
  const rules = '0.6 w 180 698.5 m 300 698.5 l S 156 668.5 m 204 668.5 l S '
  const name = drawn('出租方（甲方）：', 84, 700) + drawn('张建国', 204, 700)
  const street = drawn('坐落于文三路', 84, 670) + drawn('478', 170, 670) + drawn('号，作办公之用。', 204, 670)
  const runs = await runsOf(rules + name + street)
  const said = runs.map((run) => run.text).join('')
  expect(said).toMatch(/出租方（甲方）：_{4}张建国_{9,10}坐落于文三路_{2,3}478_{2,3}号，作办公之用。/)
  expect(runs.flatMap((run) => (run.style.isUnderlined ? [run.text] : []))).toEqual(['张建国', '478'])
})

test('a rule of a table without verticals is no line of a form, whatever stands over it', async () => {
  const heads = ['品名', '型号', '金额'].map((word, at) => drawn(word, 64 + at * 120, 706)).join('')
  const cells = ['扫描仪', 'QT-S600', '12,464.00'].map((word, at) => drawn(word, 64 + at * 120, 686)).join('')
  const runs = await runsOf(`60 720 m 420 720 l S 60 701 m 420 701 l S 60 680 m 420 680 l S ${heads}${cells}`)
  expect(runs.some((run) => run.text.includes('_') || run.style.isUnderlined)).toBe(false)
})

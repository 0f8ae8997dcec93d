import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { composedPdf } from '../fixtures/composed-pdfs.ts'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { drawn, drawnGrid } from '../fixtures/pdfs.ts'
import { unzip } from '../fixtures/unzip.ts'
import { openPdf } from '#engine/pdf/open-pdf'
import type { PageModel } from '#engine/pdf/page-model'
import type { TextStyle } from '#engine/document/document-model'
import { legible, type SheetCell } from '#engine/office/xlsx/sheet'

/** A page as models tell it where pictures are kept. */
async function read(content: string, paints: 'drawings' | 'everything' = 'drawings'): Promise<PageModel> {
  await using folder = await testFolder()
  const path = join(folder.path, 'a.pdf')
  await writeFile(path, await composedPdf(content, () => ({})))
  const pdf = await openPdf(path, { maxPages: 1, paints })
  const page = await pdf.page(1)
  await pdf.close()
  return page
}

const partOf = async (tool: 'pdf-to-word' | 'pdf-to-ppt', content: string, part: string): Promise<string> => {
  await using folder = await testFolder()
  const [output] = await runTool(tool, folder.path, await composedPdf(content, () => ({})), {}, '页.pdf')
  return (await unzip(await readFile(output.path))).get(part)?.toString('utf8') ?? ''
}

const textOf = ({ glyphs }: PageModel): string => glyphs.map(({ text }) => text).join('')

/** A circle of four curves, as browsers draw it. */
function circle(x: number, y: number, radius: number): string {
  const k = 0.5523 * radius
  return [
    `${x + radius} ${y} m`,
    `${x + radius} ${y + k} ${x + k} ${y + radius} ${x} ${y + radius} c`,
    `${x - k} ${y + radius} ${x - radius} ${y + k} ${x - radius} ${y} c`,
    `${x - radius} ${y - k} ${x - k} ${y - radius} ${x} ${y - radius} c`,
    `${x + radius} ${y - k} ${x + radius} ${y} ${x + radius} ${y} c h `,
  ].join(' ')
}

const ITEMS = ['Raise the number of users', 'Change the prices', 'Lead a team of six']
const LIST = ITEMS.map((item, at) => `${circle(60, 304 - 18 * at, 1.9)} f ${drawn(item, 72, 300 - 18 * at)}`).join('')

test('circles before lines are the marks of a list, in Word a list of its own', async () => {
  const page = await read(LIST)
  expect(textOf(page)).toBe(ITEMS.map((item) => `•${item}`).join(''))
  expect(page.painted).toEqual([])
  const word = await partOf('pdf-to-word', LIST, 'word/document.xml')
  expect(word.match(/<w:numPr>/g)).toHaveLength(3)
  expect(word).not.toContain('<w:drawing>')
})

test('what a format tells exactly as it is painted stays a drawing', async () => {
  const page = await read(LIST, 'everything')
  expect(textOf(page)).toBe(ITEMS.join(''))
  expect(page.painted?.filter(({ kind }) => kind === 'path')).toHaveLength(3)
})

test('boxes to be ticked and lines to be written on are letters of their line', async () => {
  const boxes = `1 w 60 299 9 9 re S ${drawn('once', 72, 300)} 130 299 9 9 re S ${drawn('monthly', 142, 300)}`
  const blank = `0.7 w 110 257 m 200 257 l S ${drawn('Signature:', 50, 260)}`
  const page = await read(boxes + blank)
  expect(textOf(page)).toMatch(/^□once□monthlySignature:_{10,20}$/)
  expect([page.rules, page.painted]).toEqual([[], []])
  const word = await partOf('pdf-to-word', boxes + blank, 'word/document.xml')
  const text = [...word.matchAll(/<w:t[^>]*>([^<]*)/g)].map(([, words]) => words).join('')
  expect(text).toMatch(/□ ?once\s*□ ?monthly.*Signature: ?_{10,20}/)
})

test('dots of a chart, grids, lines under headings and between parts stay what they are', async () => {
  const random = Array.from({ length: 120 }, (_, at) => `${circle(60 + (at % 12) * 25, 80 + Math.floor(at / 12) * 20, 2)} f `).join('')
  const chart = await read(random + drawn('label', 200, 96))
  expect(textOf(chart)).toBe('label')
  const grid = await read(drawnGrid([50, 150, 250], [340, 300, 260]) + drawn('cell', 60, 310))
  expect(textOf(grid)).toBe('cell')
  const heading = await read(`${drawn('Heading', 50, 300, 18)} 1 w 50 294 m 350 294 l S`)
  expect(textOf(heading)).toBe('Heading')
  const ornament = await read(`${drawn('Data', 50, 300)} 1 w 80 298 m 240 298 l S`)
  expect(textOf(ornament)).toBe('Data')
  const underlined = await read(`${drawn('Name: somebody', 50, 300)} 0.5 w 90 298 m 140 298 l S`)
  expect(textOf(underlined)).toBe('Name: somebody')
})

test('white letters of a sheet without a ground are black', () => {
  const style = { colour: '#ffffff', size: 12 } as TextStyle // all that is asked for
  const cell = {
    content: {
      runs: [
        { text: 'a', style },
        { text: 'b', style },
      ],
    },
  } as unknown as SheetCell // as above
  const [first, second] = legible(cell).content.runs
  expect(first?.style).toMatchObject({ colour: '#000000', size: 12 })
  expect(second?.style).toBe(first?.style)
  expect(legible({ ...cell, fill: '#1f6fd6' }).content.runs[0]?.style).toBe(style)
})

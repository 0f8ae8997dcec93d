import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import mammoth from 'mammoth'
import { expect, test } from 'vitest'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { drawn, pdfOf } from '../fixtures/pdfs.ts'
import { scannedPage as drawnPage, scannedPdf, type TypedLine } from '../fixtures/scans.ts'
import { checkWord } from '../fixtures/word.ts'
import { localLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'
import { AppError } from '#shared/errors/app-error'
import { parseOptions } from '#shared/tools/index'

/** What mammoth reads in the Word document that is made of a scan, and its document part. */
async function partsOf(source: Buffer, options: object = {}, name = '扫描.pdf') {
  await using folder = await testFolder()
  const [output] = await runTool('pdf-ocr', folder.path, source, options, name)
  expect(output).toMatchObject({ name: '扫描.docx', format: 'docx' })
  const file = await readFile(output.path)
  const document = checkWord(file).get('word/document.xml') ?? ''
  const { value } = await mammoth.convertToHtml({ buffer: file })
  return { html: value.replaceAll(/<a id="[^"]*"><\/a>/g, ''), document }
}

const wordOf = async (...work: Parameters<typeof partsOf>): Promise<string> => (await partsOf(...work)).html

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (thrown: unknown) => (thrown instanceof AppError ? thrown.code : thrown),
  )

const paragraph = [
  '轻图是一款图片与文档处理工具，可以把图片压缩到指定大小',
  '以内，也可以转换格式、更换背景，还可以把扫描件转成文字，',
  '全部在几秒内完成。',
]
const lines: readonly TypedLine[] = [
  { text: '关于办公用品采购的通知', x: 400, y: 150, px: 40 },
  ...paragraph.map((text, at) => ({ text, x: 140, y: 300 + at * 50, px: 28 })),
  { text: 'The quick brown fox jumps over the lazy dog.', x: 140, y: 520, px: 28 },
]
/** The upper third of an A4 page, which is all that is written on; what is empty below costs as much to look at. */
const scannedPage = (typed: readonly TypedLine[], more: Parameters<typeof drawnPage>[1] = {}): Promise<Buffer> =>
  drawnPage(typed, { height: 620, ...more })
const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, '')

test('a scan becomes paragraphs of real text, words apart, its title a line of its own', async () => {
  const html = await wordOf(await scannedPdf([await scannedPage(lines)]))
  expect(html).toContain(`>${paragraph.join('')}</p>`)
  expect(html).toContain('The quick brown fox jumps over the lazy dog.')
  expect(textOf(html)).toMatch(/^关于办公用品采购的通知轻图/)
  expect(html).not.toContain('<img')
})

test.each([
  ['crooked', 1.7],
  ['upside down', 180],
  ['on its side', 90],
])('a page that lies %s is read as it should lie', async (_, degrees) => {
  const text = textOf(await wordOf(await scannedPdf([await scannedPage(lines, { degrees })])))
  expect(text).toContain('关于办公用品采购的通知')
  expect(text).toContain(paragraph.join(''))
})

test('a table is found by its rules', async () => {
  const rows = [
    ['名称', '数量', '金额'],
    ['打印纸', '12', '360.00'],
    ['签字笔', '50', '75.50'],
  ]
  const [xs, ys] = [
    [140, 460, 780, 1100],
    [300, 370, 440, 510],
  ]
  const path = [...xs.map((x) => `M${x} ${ys[0]}V${ys.at(-1)}`), ...ys.map((y) => `M${xs[0]} ${y}H${xs.at(-1)}`)].join('')
  const cells = rows.flatMap((row, r) => row.map((text, c) => ({ text, x: 160 + c * 320, y: 322 + r * 70, px: 28 })))
  const html = await wordOf(await scannedPdf([await scannedPage(cells, { path })]))
  expect(html.replaceAll(/<\/?(p|strong)[^>]*>/g, '')).toContain(
    `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`,
  )
})

test('a line across the page that is of no table is drawn where it was', async () => {
  const scan = await scannedPdf([await scannedPage(lines, { path: 'M140 240H1100' })])
  const { html, document } = await partsOf(scan)
  expect(textOf(html)).toContain(paragraph.join(''))
  const shapes = [
    ...document.matchAll(/<wp:posOffset>(\d+)<\/wp:posOffset>.*?<wp:posOffset>(\d+)<\/wp:posOffset>.*?<wp:extent cx="(\d+)"/g),
  ]
  const inPixels = shapes.map((match) => match.slice(1).map((emu) => Math.round(((Number(emu) / 12_700) * 150) / 72 / 20) * 20))
  expect(inPixels).toEqual([[140, 240, 960]])
})

test('pages with text of their own keep it; only pictures of pages are looked at', async () => {
  const scan = await PDFDocument.load(await scannedPdf([await scannedPage(lines)]))
  const born = await PDFDocument.load(pdfOf([{ content: drawn('Typed by itself: rn m cl d', 60, 700) }]))
  const [page] = await scan.copyPages(born, [0])
  if (page) scan.addPage(page)
  const text = textOf(await wordOf(Buffer.from(await scan.save())))
  expect(text).toContain(paragraph.join(''))
  expect(text).toContain('Typed by itself: rn m cl d')
})

test('the photo of a page is a page', async () => {
  expect(textOf(await wordOf(await scannedPage(lines), {}, '扫描.jpg'))).toContain(paragraph.join(''))
})

test('seals and photos are kept as pictures, unless nobody wants them', async () => {
  const star = Array.from({ length: 10 }, (_, at) => {
    const [reach, angle] = [at % 2 === 0 ? 40 : 16, (at * Math.PI) / 5 - Math.PI / 2]
    return `${900 + reach * Math.cos(angle)},${840 + reach * Math.sin(angle)}`
  }).join(' ')
  const seal = `<circle cx="900" cy="840" r="115" fill="none" stroke="#d81e1e" stroke-width="9"/><circle cx="900" cy="840" r="85" fill="none" stroke="#d81e1e" stroke-width="22" stroke-dasharray="20 9"/><polygon points="${star}" fill="#d81e1e"/>`
  const photo =
    '<linearGradient id="a"><stop stop-color="#123a6b"/><stop offset="1" stop-color="#7ba05b"/></linearGradient><rect x="140" y="700" width="420" height="300" fill="url(#a)"/>'
  const scan = await scannedPdf([await scannedPage(lines, { svg: seal + photo, height: 1060 })])
  const html = await wordOf(scan)
  expect(html.match(/<img src="data:image\/\w+/g)?.toSorted()).toEqual(['<img src="data:image/jpeg', '<img src="data:image/png'])
  expect(textOf(html)).toContain(paragraph.join(''))
  expect(await wordOf(scan, { pictures: false })).not.toContain('<img')
})

test('what holds no text says so; a range counts', async () => {
  const blank = await scannedPdf([await scannedPage([]), await scannedPage(lines)])
  expect(await codeOf(wordOf(blank, { pages: '1' }))).toBe('ocr.no-text')
  expect(textOf(await wordOf(blank, { pages: '2' }))).toContain(paragraph.join(''))
})

test('a job is ended at once, at whatever page it is, and tells that page', async () => {
  await using folder = await testFolder()
  const path = join(folder.path, 'scan.pdf')
  const page = await scannedPage(lines.slice(0, 2))
  await writeFile(path, await scannedPdf(Array.from({ length: 12 }, () => page)))
  using pool = new EnginePool({ size: 1, aiSize: 1, limits: localLimits })
  const stop = new AbortController()
  const steps = new Set<string>()
  const progress = (_: number, step?: string): void => {
    if (step !== undefined) steps.add(step)
    if (step === '第 2/12 页') stop.abort()
  }
  const job = { tool: 'pdf-ocr', options: parseOptions('pdf-ocr', {}), inputs: [{ path, name: 'scan.pdf' }] } as const
  expect(await codeOf(pool.run(job, folder.path, { signal: stop.signal, progress }))).toBe('job.cancelled')
  expect([...steps]).toEqual(['第 1/12 页', '第 2/12 页'])
})

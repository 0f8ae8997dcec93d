import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { drawn, drawnGrid, drawnLines, encrypted, pdfOf } from '../fixtures/pdfs.ts'
import { localLimits } from '#engine/limits'
import { run } from '#engine/run'
import { AppError } from '#shared/errors/app-error'
import { parseOptions } from '#shared/tools/index'

async function textOf(pdf: Buffer, options: object = {}): Promise<string> {
  await using folder = await testFolder()
  const [output] = await runTool('pdf-to-text', folder.path, pdf, options, '报告.pdf')
  expect(output).toMatchObject({ name: '报告.txt', format: 'txt' })
  return (await readFile(output.path, 'utf8'))
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trimEnd()
}

/** The code a promise fails with. */
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (thrown: unknown) => (thrown instanceof AppError ? thrown.code : thrown),
  )

const page = (content: string) => pdfOf([{ content }])

test('Chinese text comes out as it is read, paragraphs whole', async () => {
  const long = [
    '　　轻图是一款图片与文档处理工具，可以把图片压缩到指定大',
    '小以内，也可以转换格式、更换背景，还可以把文档转成文字，',
    '全部在几秒内完成。',
  ]
  const content =
    drawn('产品说明', 250, 780, 20) + drawnLines(long, 60, 720, 16, 26) + drawnLines(['一、适用范围', '二、使用方法'], 60, 600, 16, 40)
  expect(await textOf(page(content))).toBe(`产品说明\n${long.join('').trim()}\n一、适用范围\n二、使用方法`)
})

test('a job says at which page it is, of those that were asked for', async () => {
  await using folder = await testFolder()
  const path = join(folder.path, 'source')
  await writeFile(path, pdfOf(['one', 'two', 'three'].map((word) => ({ content: drawn(word, 60, 700) }))))
  const said: (readonly [fraction: number, step?: string | undefined])[] = []
  const job = { tool: 'pdf-to-text', options: parseOptions('pdf-to-text', { pages: '2-3' }), inputs: [{ path, name: 'a.pdf' }] } as const
  await run(job, { folder: folder.path, limits: localLimits, msLeft: () => 60_000, progress: (...told) => said.push(told) })
  expect(said).toEqual([
    [0.5, '第 1/2 页'],
    [1, '第 2/2 页'],
  ])
})

test('lines stay lines where that is asked for', async () => {
  const lines = ['第一行文字一直写到这一行的末尾', '第二行文字接着写到这一行的末尾']
  expect(await textOf(page(drawnLines(lines, 60, 700)), { breaks: 'line' })).toBe(lines.join('\n'))
  expect(await textOf(page(drawnLines(lines, 60, 700)))).toBe(lines.join(''))
})

test('words keep their spaces, hyphens at line ends go', async () => {
  const lines = ['The quick brown fox jumps over the lazy dog and con-', 'tinues to run through the large and very green woods', 'all day.']
  expect(await textOf(page(drawnLines(lines, 60, 700)))).toBe(
    'The quick brown fox jumps over the lazy dog and continues to run through the large and very green woods all day.',
  )
})

test('no gap parts a word from the sign that closes it', async () => {
  const signs =
    drawn('Vid', 60, 700) +
    drawn(',', 81, 700) +
    drawn('named', 91, 700) +
    drawn('：', 132, 700) +
    drawn('3', 60, 650) +
    drawn('.1', 70, 650)
  expect(await textOf(page(signs), { breaks: 'line' })).toBe('Vid, named：\n3.1')
})

test('letters painted twice to look bold are there once, double ones twice', async () => {
  const twice = drawn('Hello all, 加粗标题', 60, 700, 18) + drawn('Hello all, 加粗标题', 60.4, 700, 18)
  expect(await textOf(page(twice))).toBe('Hello all, 加粗标题')
  expect(await textOf(page(drawn('hill, will, 11 1111', 60, 700)))).toBe('hill, will, 11 1111')
})

test('columns of text are read one after the other', async () => {
  const left = Array.from({ length: 8 }, (_, at) => `left column line number ${at + 1} is here`)
  const right = Array.from({ length: 8 }, (_, at) => `right column line number ${at + 1} is here`)
  const content = drawn('A title across the whole page', 200, 780, 18) + drawnLines(left, 50, 700, 11) + drawnLines(right, 320, 700, 11)
  const text = await textOf(page(content), { breaks: 'line' })
  expect(text.split('\n')).toEqual(['A title across the whole page', ...left, ...right])
})

test('a table is read row by row, its cells parted by tabs, wrapped cells whole', async () => {
  const cells = [
    ['项目', '金额', '说明'],
    ['营业收入', '170,360', '同比增长'],
    ['净利润', '9,154', '扣除后'],
  ]
  const texts = cells.flatMap((row, r) => row.map((cell, c) => drawn(cell, 70 + c * 150, 680 - r * 40)))
  const content = drawnGrid([60, 210, 360, 510], [700, 660, 620, 580]) + texts.join('') + drawn('以内的部分', 370, 628)
  expect(await textOf(page(content))).toBe('项目\t金额\t说明\n营业收入\t170,360\t同比增长以内的部分\n净利润\t9,154\t扣除后')
})

test('a table without rules keeps its rows', async () => {
  const rows = Array.from({ length: 6 }, (_, at) => [`产品${at}`, `${at * 100}`, `${at * 7} %`])
  const content = rows.flatMap((row, r) => row.map((cell, c) => drawn(cell, 70 + c * 150, 700 - r * 20))).join('')
  expect(await textOf(page(content))).toBe(rows.map((row) => row.join('\t')).join('\n'))
})

test('turned pages and vertical writing are read as people read them', async () => {
  const turned = pdfOf([{ content: `q 0 1 -1 0 595 0 cm ${drawn('turned by a quarter', 60, 500)} Q`, rotate: 90 }])
  expect(await textOf(turned)).toBe('turned by a quarter')
  const down = `BT /F3 20 Tf 1 0 0 1 400 700 Tm <${Buffer.from('竖排第一行', 'utf16le').swap16().toString('hex')}> Tj ET
BT /F3 20 Tf 1 0 0 1 360 700 Tm <${Buffer.from('竖排第二行', 'utf16le').swap16().toString('hex')}> Tj ET`
  expect(await textOf(page(down), { breaks: 'line' })).toBe('竖排第一行\n竖排第二行')
})

test('only the pages asked for', async () => {
  const pdf = pdfOf([1, 2, 3, 4, 5].map((n) => ({ content: drawn(`page ${n}`, 60, 700) })))
  expect(await textOf(pdf, { pages: '2-3，5' })).toBe('page 2\n\npage 3\n\npage 5')
  expect(await textOf(pdf, { pages: '4-' })).toBe('page 4\n\npage 5')
  for (const pages of ['9', '0', '3-1', '一']) expect(await codeOf(textOf(pdf, { pages }))).toBe('options.page-range')
})

test('a password is asked for, and checked', async () => {
  const locked = await encrypted(page(drawn('secret', 60, 700)), { user: 'open', owner: 'own' })
  expect(await codeOf(textOf(locked))).toBe('pdf.password')
  expect(await codeOf(textOf(locked, { password: 'wrong' }))).toBe('pdf.wrong-password')
  expect(await textOf(locked, { password: 'open' })).toBe('secret')
})

test('what its owner forbids is not done, save with the owner’s password', async () => {
  const restricted = await encrypted(page(drawn('mine', 60, 700)), { user: '', owner: 'own', copies: false })
  expect(await codeOf(textOf(restricted))).toBe('pdf.restricted')
  expect(await textOf(restricted, { password: 'own' })).toBe('mine')
  const locked = await encrypted(page(drawn('both', 60, 700)), { user: 'open', owner: 'own', copies: false })
  expect(await codeOf(textOf(locked, { password: 'open' }))).toBe('pdf.restricted')
  expect(await textOf(locked, { password: 'own' })).toBe('both')
  const printable = await encrypted(page(drawn('ours', 60, 700)), { user: '', owner: 'own' })
  expect(await textOf(printable)).toBe('ours')
})

test('a scan says that it is one', async () => {
  const scan = page('q 595 0 0 842 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \u0080 EI Q')
  expect(await codeOf(textOf(scan))).toBe('pdf.no-text')
})

test.each<[string, Buffer]>([
  ['no PDF behind its first line', Buffer.from('%PDF-1.7\n')],
  ['a PDF of no pages', pdfOf([])],
  ['a PDF cut in half', page(drawnLines(['a', 'b'], 60, 700)).subarray(0, 300)],
  ['pages that are their own parents', Buffer.from(page('').toString('latin1').replace('/Kids [6 0 R]', '/Kids [2 0 R]'), 'latin1')],
])('is refused: %s', async (_title, pdf) => {
  expect(await codeOf(textOf(pdf))).toBe('file.unreadable')
})

test('too many pages, and a page of a kilometre', async () => {
  const many = pdfOf(Array.from({ length: 501 }, () => ({ content: '' })))
  expect(await codeOf(textOf(many))).toBe('pdf.too-many-pages')
  expect(await codeOf(textOf(pdfOf([{ content: drawn('far', 9, 9), width: 14_400_000 }])))).toBe('pdf.page-too-large')
})

test('nothing a PDF asks to have done is done', async () => {
  const script = '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /Names << /EmbeddedFiles << /Names [] >> >>'
  const text = await textOf(pdfOf([{ content: drawn('calm', 60, 700) }], script))
  expect(text).toBe('calm')
})

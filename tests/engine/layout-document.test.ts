import { expect, test } from 'vitest'
import { drawn, drawnLines, pdfOf, type DrawnPage } from '../fixtures/pdfs.ts'
import { pagesOf } from '../fixtures/page-of.ts'
import type { Block, DocumentModel } from '#engine/document/document-model'
import { layoutDocument } from '#engine/document/layout-document'
import { textOf } from '#engine/document/lines'
import { pageText } from '#engine/document/plain-text'
import type { OutlineEntry } from '#engine/pdf/page-model'

const documentOf = async (pages: readonly DrawnPage[], outline: readonly OutlineEntry[] = []): Promise<DocumentModel> =>
  layoutDocument(await pagesOf(pdfOf(pages)), { outline })

const texts = (blocks: readonly Block[]): string[] => blocks.flatMap((block) => (block.kind === 'paragraph' ? textOf(block.runs) : []))
const body = (page: DocumentModel['pages'][number] | undefined): readonly Block[] =>
  page?.sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks)) ?? []

const lines = (page: number) => Array.from({ length: 12 }, (_, at) => `这是第 ${page} 页的第 ${at + 1} 行文字，每一行都写得一样长短`)

test('what repeats at the head and foot of pages is header and footer, whatever their numbers', async () => {
  const document = await documentOf(
    [1, 2, 3].map((page) => ({
      content:
        drawn('某某公司季度报告', 230, 790, 9) + drawnLines(lines(page), 60, 740, 12, 20) + drawn(`第 ${page} 页共 3 页`, 260, 40, 9),
    })),
  )
  for (const [at, page] of document.pages.entries()) {
    expect(texts(page.header)).toEqual(['某某公司季度报告'])
    expect(texts(page.footer)).toEqual([`第 ${at + 1} 页共 3 页`])
    expect(texts(body(page)).join('')).not.toContain('季度报告')
  }
})

test('a title on one page, and text that fills a page to its foot, are neither', async () => {
  const many = Array.from({ length: 38 }, (_, at) => `第 ${at + 1} 行写到页面的最下面，这里没有页脚，也没有页码`)
  const document = await documentOf([{ content: drawn('年度报告', 220, 790, 26) + drawnLines(many, 60, 740, 12, 18.5) }])
  const [page] = document.pages
  expect([page?.header, page?.footer]).toEqual([[], []])
  expect(page && pageText(page, 'line').at(-1)).toContain('第 38 行')
})

test('headings are told by size, weight and number, and by the outline', async () => {
  const content =
    drawn('年度报告', 220, 760, 24) +
    drawn('第一章总则', 60, 700, 16) +
    drawnLines(lines(1), 60, 660, 12, 20) +
    drawn('说明', 60, 400, 12) +
    drawnLines(lines(1).slice(0, 5), 60, 370, 12, 20)
  const outline = [{ title: '说明', page: 1, top: 430, level: 2 }]
  const document = await documentOf([{ content }], outline)
  const headings = body(document.pages[0]).flatMap((block) =>
    block.kind === 'paragraph' && block.heading !== undefined ? [[textOf(block.runs), block.heading]] : [],
  )
  expect(headings).toEqual([
    ['年度报告', 1],
    ['第一章总则', 1],
    ['说明', 2],
  ])
})

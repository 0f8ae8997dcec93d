import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { drawn, drawnGrid, drawnLines, pdfOf } from '../fixtures/pdfs.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

const columns = [60, 200, 340, 480]
const rows = [700, 670, 640]
const cells = [
  ['季度', '收入', '同比'],
  ['一季度', '1,234.50', '12%'],
]
const report = pdfOf([
  {
    content:
      drawn('季度报告', 240, 760, 20) +
      drawnGrid(columns, rows) +
      cells.flatMap((row, down) => row.map((text, across) => drawn(text, 66 + across * 140, 680 - down * 30))).join(''),
  },
  { content: drawnLines(['第二页的正文，说明各项收入的来源。'], 60, 700) },
])

async function convert(page: Page, path: string, buffer = report): Promise<void> {
  await page.goto(`${server().url}${path}`)
  await page.locator(fileInput).setInputFiles([{ name: '报告.pdf', mimeType: 'application/pdf', buffer }])
  await page.getByRole('button', { name: /^开始/ }).click()
}

it('a Word result is seen before it is downloaded, beside its original', async () => {
  await using opened = await openPage(server().url)
  const { page, complaints } = opened
  await convert(page, '/pdf')
  const look = page.getByRole('button', { name: '预览 报告.pdf' })
  await look.click()
  const dialog = page.getByRole('dialog', { name: '报告.docx' })
  const result = dialog.getByRole('region', { name: '结果预览' })
  await result.getByRole('cell', { name: '1,234.50' }).waitFor()
  expect(await result.getByRole('region', { name: /^第 \d 页$/ }).count()).toBe(2)
  await dialog.getByRole('region', { name: '原文' }).getByRole('img', { name: '原文第 1 页' }).waitFor()
  expect(await violations(page, 'preview')).toEqual([])
  await dialog.getByRole('button', { name: '对照原文' }).click()
  expect(await dialog.getByRole('region', { name: '原文' }).count()).toBe(0)
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: '下载' }).click()])
  expect(download.suggestedFilename()).toBe('报告.docx')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await look.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(complaints).toEqual([])
})

it('a workbook is seen with its numbers, slides and text as they are, on a phone too', async () => {
  await using opened = await openPage(server().url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const { page, complaints } = opened
  const found: string[] = []
  for (const [path, seen] of [
    ['/pdf/toexcel', '1,234.50'],
    ['/pdf/toppt', '第二页的正文'],
    ['/pdf/totxt', '一季度'],
  ] as const) {
    await convert(page, path)
    await page.getByText('已完成 1 个').waitFor()
    await page.getByRole('button', { name: '更多 报告.pdf' }).tap()
    await page.getByRole('button', { name: '预览结果' }).tap()
    await page
      .getByRole('dialog', { name: /^结果预览/ })
      .getByText(seen)
      .first()
      .waitFor()
    found.push(...(await violations(page, path)))
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
  }
  expect(found).toEqual([])
  expect(complaints).toEqual([])
})

it('a scan is handed on to the page that reads it', async () => {
  await using opened = await openPage(server().url)
  const { page } = opened
  await convert(page, '/pdf/totxt', pdfOf([{ content: '0.5 g 100 100 300 400 re f\n' }]))
  const instead = page.getByRole('button', { name: '改用 OCR 转换 报告.pdf' })
  await instead.waitFor()
  expect(await violations(page, 'scan')).toEqual([])
  await instead.click()
  await page.getByRole('heading', { level: 1, name: 'PDF转Word（OCR）' }).waitFor()
  await page.getByRole('group', { name: '报告.pdf' }).waitFor()
  // It is on its way without another click.
  await expect.poll(() => page.getByText('待处理').count()).toBe(0)
})

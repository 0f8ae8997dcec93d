import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { pdfOf } from '../fixtures/pdfs.ts'
import { photo } from '../fixtures/pictures.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

const WIDTH = 360
const HEIGHT = 740
const phone = { viewport: { width: WIDTH, height: HEIGHT }, hasTouch: true, isMobile: true }

const pictures = async (count: number, width = 700) => {
  const buffer = await photo(width, width / 2)
    .jpeg({ quality: 95 })
    .toBuffer()
  return Array.from({ length: count }, (_, n) => ({ name: `图${n}.jpg`, mimeType: 'image/jpeg', buffer }))
}

/** Whether a part lies wholly within the screen. */
async function isOnScreen(part: Locator): Promise<boolean> {
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 }
  return x >= 0 && y >= 0 && x + width <= WIDTH && y + height <= HEIGHT
}

const scrollTo = (page: Page, px: number): Promise<void> => page.evaluate((top) => window.scrollTo(0, top), px)

it('past fifty files the target is set and the work started without scrolling', async () => {
  await using opened = await openPage(server().url, phone)
  const { page, complaints } = opened
  await page.locator(fileInput).setInputFiles(await pictures(50, 400))
  const settings = page.getByRole('button', { name: /^设置/ })
  const start = page.getByRole('button', { name: '开始处理' })
  for (const px of [0, 1500, 3000]) {
    await scrollTo(page, px)
    expect([await isOnScreen(settings), await isOnScreen(start)]).toEqual([true, true])
  }
  await settings.click()
  const sheet = page.getByRole('dialog', { name: '设置' })
  await sheet.getByRole('textbox', { name: '目标大小' }).fill('31')
  await sheet.getByRole('button', { name: '完成' }).click()
  await sheet.waitFor({ state: 'detached' })
  expect(await settings.innerText()).toMatch(/设置\s*31 KB/)
  expect(await settings.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(2000)
  await start.click()
  await page.getByText('已完成 50 个').waitFor()
  const after = await page.getByRole('listitem').filter({ hasText: '→' }).last().innerText()
  expect(Number(/→ ([\d.]+) KB/.exec(after)?.[1])).toBeLessThanOrEqual(31)
  expect(complaints).toEqual([])
})

it('a file’s actions stand in one line, the others in a sheet that leads to each', async () => {
  await using opened = await openPage(server().url, phone)
  const { page, complaints } = opened
  await page.locator(fileInput).setInputFiles(await pictures(2))
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('已完成 2 个').waitFor()
  const row = page.getByRole('listitem').filter({ hasText: '图0.jpg' })
  const boxes = await Promise.all([row.getByRole('link'), row.getByRole('button')].map((one) => one.boundingBox()))
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
  for (const box of boxes) expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(40)

  const more = page.getByRole('button', { name: '更多 图0.jpg' })
  const sheet = page.getByRole('dialog', { name: '图0.jpg' })
  await more.click()
  const [download] = await Promise.all([page.waitForEvent('download'), sheet.getByRole('link', { name: '下载' }).click()])
  expect(download.suggestedFilename()).toBe('图0.jpg')
  await sheet.waitFor({ state: 'detached' })

  await more.click()
  await sheet.getByRole('button', { name: '对比' }).click()
  await page.getByRole('slider').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('slider').waitFor({ state: 'detached' })
  expect(await more.evaluate((button) => button === document.activeElement)).toBe(true)

  await more.click()
  await sheet.getByRole('button', { name: '移除并删除文件' }).click()
  await row.waitFor({ state: 'detached' })
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(complaints).toEqual([])
})

it('every page is reached from the menu, and nothing is wider than the screen', async () => {
  await using opened = await openPage(server().url, phone)
  const { page, complaints } = opened
  await page.getByRole('button', { name: '全部功能' }).click()
  const menu = page.getByRole('dialog', { name: '全部功能' })
  await menu.getByRole('link', { name: 'PDF转换' }).waitFor()
  await menu.getByRole('link', { name: 'JPEG压缩' }).click()
  await page.getByRole('heading', { level: 1, name: 'JPEG压缩' }).waitFor()
  await menu.waitFor({ state: 'detached' })
  // The chip of the page shown is in sight, though it is the last.
  expect(await isOnScreen(page.getByRole('navigation', { name: '功能', exact: true }).getByRole('link', { name: 'JPEG压缩' }))).toBe(true)
  // The page left is still there, out of sight.
  await page
    .locator(fileInput)
    .last()
    .setInputFiles(await pictures(1))
  await page.getByText('图0.jpg').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(WIDTH)
  await page.getByRole('button', { name: '全部功能' }).click()
  // Beside the sheet is the page.
  await page.touchscreen.tap(WIDTH / 2, 20)
  await menu.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

it('a scan that goes to another page is seen there from its top', async () => {
  await using opened = await openPage(`${server().url}/pdf/toword`, phone)
  const { page } = opened
  const scan = pdfOf([{ content: 'q 500 0 0 700 40 60 cm BI /W 1 /H 2 /BPC 8 /CS /G ID \u0000\u0080 EI Q' }])
  const bad = Array.from({ length: 4 }, (_, n) => ({ name: `坏${n}.pdf`, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }))
  await page.locator(fileInput).setInputFiles([...bad, { name: '扫描.pdf', mimeType: 'application/pdf', buffer: scan }])
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByRole('button', { name: '改用 OCR 转换 扫描.pdf' }).tap()
  await page.getByRole('heading', { level: 1, name: /OCR/ }).waitFor()
  await page.waitForTimeout(1500)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

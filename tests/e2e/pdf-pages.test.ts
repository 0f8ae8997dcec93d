import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { drawn, encrypted, pdfOf } from '../fixtures/pdfs.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

const paged = (count: number): Buffer => pdfOf(Array.from({ length: count }, (_, at) => ({ content: drawn(`第${at + 1}页`, 60, 700, 60) })))

const put = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.locator(fileInput).setInputFiles([{ name, mimeType: 'application/pdf', buffer }])

const tile = (of: Page | Locator, number: number): Locator => of.getByRole('button', { name: `第 ${number} 页`, exact: true })

/** The pages that are marked, of those in sight. */
const marked = (of: Page | Locator): Promise<number[]> =>
  of
    .locator('[data-page][aria-pressed=true]')
    .evaluateAll((all) => all.map((one) => Number(one.getAttribute('data-page'))).toSorted((a, b) => a - b))

/** Whether a page was painted: some of it is dark. */
const isPainted = (picture: Locator): Promise<boolean> =>
  picture.evaluate((image) => {
    if (!(image instanceof HTMLImageElement)) return false
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight })
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
    return [...data].some((sample, at) => at % 4 === 0 && sample < 80)
  })

it('pages of a PDF are chosen by sight, by keys or by number, and only those are converted', async () => {
  await using opened = await openPage(`${server().url}/pdf/totxt`)
  const { page, complaints } = opened
  await put(page, '报告.pdf', paged(30))
  await page.getByText('30 页 · PDF').waitFor()
  const strip = page.getByRole('region', { name: '选择页面' })
  await tile(strip, 2).locator('img').waitFor()
  // Its Chinese font is not in the file.
  expect(await isPainted(tile(strip, 2).locator('img'))).toBe(true)
  expect(await strip.locator('[data-page]').count()).toBeLessThan(20)
  await strip.getByText('转换全部 30 页').waitFor()
  const range = page.getByRole('textbox', { name: '页码范围' })
  await tile(strip, 2).click()
  await tile(strip, 4).click({ modifiers: ['Shift'] })
  expect(await range.inputValue()).toBe('2-4')
  await range.fill('1，3-4')
  expect(await marked(strip)).toEqual([1, 3, 4])
  await strip.getByText('已选 3 / 30 页').waitFor()
  await tile(strip, 4).press('End')
  await expect.poll(() => tile(strip, 30).evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('Space')
  expect(await range.inputValue()).toBe('1,3-4,30')
  await page.keyboard.press('Enter')
  const viewer = page.getByRole('dialog', { name: '第 30 页' })
  await viewer.getByRole('img', { name: '第 30 页' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('dialog', { name: '第 29 页' }).getByRole('checkbox', { name: '选中此页' }).check()
  expect(await violations(page, 'one page')).toEqual([])
  await page.keyboard.press('Escape')
  expect(await range.inputValue()).toBe('1,3-4,29-30')
  await strip.getByRole('button', { name: '偶数页' }).click()
  await strip.getByText('已选 15 / 30 页').waitFor()
  await strip.getByRole('button', { name: '取消选择' }).click()
  await range.fill('30')
  expect(await violations(page, 'strip')).toEqual([])
  await page.getByRole('button', { name: /^开始/ }).click()
  await page.getByText('已完成 1 个').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^下载 报告/ }).click()])
  const text = await download.createReadStream().then((stream) => stream.setEncoding('utf8').toArray())
  expect(text.join('').trim()).toBe('\uFEFF第30页'.trim())
  // The range was for that file: the next visit begins with all pages.
  await page.reload()
  expect(await page.getByRole('textbox', { name: '页码范围' }).inputValue()).toBe('')
  expect(complaints).toEqual([])
})

it('on a phone each of several PDFs has pages of its own; a locked one shows its pages once it is opened', async () => {
  await using opened = await openPage(`${server().url}/pdf/totxt`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const { page, complaints } = opened
  await put(page, '合同.pdf', paged(4))
  const strip = page.getByRole('region', { name: '选择页面' })
  await tile(strip, 2).tap()
  await strip.getByText('已选 1 / 4 页').waitFor()
  expect(await violations(page, 'strip on a phone')).toEqual([])
  await put(page, '工资.pdf', await encrypted(paged(6), { user: '开门', owner: 'own' }))
  await page.getByText('该 PDF 有打开密码，请输入密码后继续。').waitFor()
  await strip.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '输入密码 工资.pdf' }).tap()
  await page.getByRole('textbox', { name: '打开密码' }).fill('开门')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '更多 工资.pdf' }).tap()
  await page.getByRole('button', { name: '选择页面' }).tap()
  const dialog = page.getByRole('dialog', { name: '选择页面' })
  await tile(dialog, 6).tap()
  expect(await dialog.getByRole('textbox', { name: '页码范围' }).inputValue()).toBe('6')
  expect(await violations(page, 'pages on a phone')).toEqual([])
  await dialog.getByRole('button', { name: '完成' }).tap()
  await page.getByRole('button', { name: '更多 合同.pdf' }).tap()
  await page.getByRole('button', { name: '选择页面' }).tap()
  // What was chosen while it was the only one is still its own.
  await expect.poll(() => marked(dialog)).toEqual([2])
  const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(isWider).toBe(false)
  expect(complaints).toEqual([])
})

it('a password given to the whole page opens what is locked', async () => {
  await using opened = await openPage(`${server().url}/pdf/totxt`)
  const { page } = opened
  await put(page, '工资.pdf', await encrypted(paged(2), { user: 'open', owner: 'own' }))
  await page.getByText('该 PDF 有打开密码，请输入密码后继续。').waitFor()
  await page.getByRole('complementary', { name: '设置' }).getByRole('textbox', { name: '打开密码' }).fill('open')
  await page.getByText('2 页 · PDF').waitFor()
  const strip = page.getByRole('region', { name: '选择页面' })
  await tile(strip, 2).locator('img').waitFor()
  expect(await strip.locator('[data-page]').count()).toBe(2)
})

import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { portraitOfOne } from '../fixtures/faces.ts'
import { portrait } from '../fixtures/portraits.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

const type = async (editor: Locator, label: string, value: number): Promise<void> => {
  await editor.getByRole('textbox', { name: label, exact: true }).fill(String(value))
}
const run = async (page: Page, done: number): Promise<void> => {
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText(`已完成 ${done} 个`).waitFor()
}

describe('the ID photo editor', () => {
  it('makes of the lines that were moved a photo of exactly the kind that was chosen', async () => {
    await using opened = await openPage(`${server().url}/doc`)
    const { page, complaints } = opened
    const head = { crown: 0.3, chin: 0.6, centre: 0.4 }
    await page.locator(fileInput).setInputFiles([{ name: '照.jpg', mimeType: 'image/jpeg', buffer: await portrait(1200, 1600, head) }])
    const editor = page.getByRole('dialog', { name: /证件照/ })
    await editor.getByRole('combobox', { name: '证件照规格' }).selectOption('civil-service-exam')
    await editor.getByText('30–100 KB').waitFor()
    await editor.getByText(/以官网为准/).waitFor()
    const line = (name: string): Locator => editor.getByRole('slider', { name, exact: true })
    // One line by its number, one by keys, one by the mouse.
    await type(editor, '下巴（占高）', 60)
    await line('脸部中线').focus()
    for (let press = 0; press < 5; press++) await page.keyboard.press('Shift+ArrowLeft')
    await type(editor, '眼睛（占高）', 45)
    const crown = await line('头顶').boundingBox()
    const chin = await line('下巴').boundingBox()
    if (!crown || !chin) throw new Error('no lines')
    const percentPx = (chin.y - crown.y) / (60 - 15)
    await page.mouse.move(crown.x + 100, crown.y + crown.height / 2)
    await page.mouse.down()
    await page.mouse.move(crown.x + 100, crown.y + crown.height / 2 + percentPx * 15, { steps: 5 })
    await page.mouse.up()
    expect(Math.abs(Number(await line('头顶').getAttribute('aria-valuenow')) - 30)).toBeLessThanOrEqual(0.3)
    expect(await line('脸部中线').getAttribute('aria-valuenow')).toBe('40')
    expect(await editor.getByRole('alert').count()).toBe(0)
    await editor.getByRole('button', { name: '确定' }).click()
    await run(page, 1)
    const link = page.getByRole('link', { name: '下载 照.jpg' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const bytes = await readFile(await download.path())
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 295, height: 413, density: 300 })
    expect(bytes.length).toBeGreaterThanOrEqual(30 * 1024)
    expect(bytes.length).toBeLessThanOrEqual(100 * 1000)
    // Down the middle, the dark hair begins a tenth below the upper edge.
    const middle = await sharp(bytes).extract({ left: 147, top: 0, width: 1, height: 413 }).raw().toBuffer()
    const hair = Array.from({ length: 413 }, (_, y) => y).find((y) => (middle[y * 3] ?? 255) < 70)
    expect(Math.abs((hair ?? NaN) - 41)).toBeLessThanOrEqual(4)
    expect(complaints).toEqual([])
  })

  it('shows the head that was found, on the background that was chosen, and takes lines moved from there', async () => {
    await using opened = await openPage(`${server().url}/docsize`)
    const { page, complaints } = opened
    await page.locator(fileInput).setInputFiles([{ name: '人.jpg', mimeType: 'image/jpeg', buffer: await portraitOfOne.bytes() }])
    const editor = page.getByRole('dialog', { name: /证件照/ })
    const line = (name: string): Promise<number> =>
      editor.getByRole('slider', { name, exact: true }).getAttribute('aria-valuenow').then(Number)
    expect(await editor.getByRole('button', { name: '自动识别' }).getAttribute('aria-pressed')).toBe('true')
    await editor.getByText('处理时自动识别人脸').waitFor()
    await editor.getByRole('group', { name: '背景' }).getByRole('button', { name: '蓝' }).click()
    await editor.getByText('预览，处理后换底色').waitFor()
    await editor.getByRole('button', { name: '确定' }).click()
    await run(page, 1)

    await page.getByRole('button', { name: /标出头部/ }).click()
    await editor.getByText('已识别到头部').waitFor()
    await editor.getByRole('img', { name: '处理结果' }).waitFor()
    const { eyesPx, chinPx, height } = portraitOfOne
    expect(Math.abs((await line('眼睛')) - (100 * eyesPx) / height)).toBeLessThan(2)
    expect(Math.abs((await line('下巴')) - (100 * chinPx) / height)).toBeLessThan(2)
    await type(editor, '头顶（占高）', 3)
    await editor.getByRole('img', { name: '照片预览' }).waitFor()
    expect(await editor.getByRole('button', { name: '自动识别' }).getAttribute('aria-pressed')).toBe('false')
    await editor.getByRole('button', { name: '自动识别' }).click()
    await editor.getByRole('img', { name: '处理结果' }).waitFor()
    await editor.getByRole('button', { name: '确定' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: '下载 人.jpg' }).click()])
    const corner = await sharp(await readFile(await download.path()))
      .extract({ left: 4, top: 4, width: 1, height: 1 })
      .raw()
      .toBuffer()
    const [red = 0, green = 0, blue = 0] = corner
    expect(Math.abs(red - 0x43) + Math.abs(green - 0x8e) + Math.abs(blue - 0xdb)).toBeLessThan(15)
    expect(complaints).toEqual([])
  })

  it('warns of a head that does not fit, counts a sheet, and leaves a photo it cannot show to numbers', async () => {
    await using opened = await openPage(`${server().url}/docsize`)
    const { page } = opened
    const jpeg = await portrait(600, 800)
    await page.locator(fileInput).setInputFiles([
      { name: '照.jpg', mimeType: 'image/jpeg', buffer: jpeg },
      { name: '扫描.tif', mimeType: 'image/tiff', buffer: await sharp(jpeg).tiff({ compression: 'lzw' }).toBuffer() },
    ])
    const editor = page.getByRole('dialog', { name: /证件照/ })
    await type(editor, '脸部中线（占宽）', 2)
    await editor
      .getByRole('alert')
      .getByText(/头部超出/)
      .waitFor()
    await editor.getByRole('button', { name: '自动居中' }).click()
    await editor.getByRole('alert').waitFor({ state: 'detached' })
    await editor.getByRole('combobox', { name: '打印排版' }).selectOption('six-inch')
    await editor.getByText(/一张纸可排 \d+ 张照片/).waitFor()
    await editor.getByRole('combobox', { name: '打印排版' }).selectOption('none')
    await editor.getByRole('button', { name: '下一张' }).click()
    await editor.getByText('此格式无法预览，请填写数值').waitFor()
    await type(editor, '下巴（占高）', 60)
    await type(editor, '头顶（占高）', 20)
    await editor.getByRole('button', { name: '确定' }).click()
    await run(page, 2)
    for (const name of ['照.jpg', '扫描.tif']) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: `下载 ${name}` }).click()])
      expect(await sharp(await readFile(await download.path())).metadata()).toMatchObject({ width: 295, height: 413, density: 300 })
    }
  })
})

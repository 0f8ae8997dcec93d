import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

/** A picture in which every pixel says where it is: its column in red, its row in green, how often they are full in blue. */
const map = async (name: string, width: number, height: number) => {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set([x % 256, y % 256, (x >> 8) * 16 + (y >> 8)], (y * width + x) * 3)
  }
  return {
    name,
    mimeType: 'image/png',
    buffer: await sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  }
}

type Place = readonly [x: number, y: number]

/** A result read by another decoder: its sides, and where its pixels were in the map. */
async function places(page: Page, name: string) {
  const link = page.getByRole('link', { name: `下载 ${name}` })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const { data, info } = await sharp(await readFile(await download.path()))
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number): Place => {
    const [red = 0, green = 0, blue = 0] = data.subarray((y * info.width + x) * 3)
    return [(blue >> 4) * 256 + red, (blue & 15) * 256 + green]
  }
  const [right, bottom] = [info.width - 1, info.height - 1]
  return { width: info.width, height: info.height, corners: [at(0, 0), at(right, 0), at(0, bottom), at(right, bottom)] }
}

const editorOf = (page: Page): Locator => page.getByRole('dialog', { name: /裁剪/ })
const type = async (editor: Locator, label: string, value: number): Promise<void> => {
  await editor.getByRole('textbox', { name: label, exact: true }).fill(String(value))
}
const run = async (page: Page, done: number): Promise<void> => {
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText(`已完成 ${done} 个`).waitFor()
}

describe('the crop editor', () => {
  it('opens by itself and cuts out the pixels that were typed, and again those that were stepped to by keys', async () => {
    await using opened = await openPage(`${server().url}/edit/crop`)
    const { page, complaints } = opened
    await page.locator(fileInput).setInputFiles([await map('图.png', 600, 400)])
    const editor = editorOf(page)
    const box = editor.getByRole('group', { name: /^裁剪框，/ })
    await box.waitFor()
    await type(editor, '宽', 123)
    await type(editor, '高', 77)
    await type(editor, '左边距', 300)
    await type(editor, '上边距', 260)
    await editor.getByRole('button', { name: '确定' }).click()
    await editor.waitFor({ state: 'detached' })
    await page.getByRole('img', { name: '已设裁剪' }).waitFor()
    await run(page, 1)
    expect(await places(page, '图.png')).toEqual({
      width: 123,
      height: 77,
      corners: [
        [300, 260],
        [422, 260],
        [300, 336],
        [422, 336],
      ],
    })
    await page.getByRole('button', { name: '裁剪 图.png' }).focus()
    await page.keyboard.press('Enter')
    await box.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Alt+ArrowRight')
    await editor.getByRole('button', { name: '确定' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '重试 图.png' }).click()
    await page.getByText('已完成 1 个').waitFor()
    expect(await places(page, '图.png')).toMatchObject({
      width: 124,
      height: 77,
      corners: [
        [299, 270],
        [422, 270],
        [299, 346],
        [422, 346],
      ],
    })
    expect(complaints).toEqual([])
  })

  it('cuts out what the box was pulled over with the mouse, in its proportions', async () => {
    await using opened = await openPage(`${server().url}/edit/crop`)
    const { page } = opened
    await page.locator(fileInput).setInputFiles([await map('图.png', 600, 400)])
    const editor = editorOf(page)
    const box = editor.getByRole('group', { name: /^裁剪框，/ })
    await editor.getByRole('button', { name: '1:1' }).click()
    const before = await box.boundingBox()
    if (!before) throw new Error('no box')
    // The square of 400 starts at 100; its lower right corner goes to its middle, then all of it to the left edge.
    const [middleX, middleY] = [before.x + before.width / 2, before.y + before.height / 2]
    await page.mouse.move(before.x + before.width, before.y + before.height)
    await page.mouse.down()
    await page.mouse.move(middleX, middleY, { steps: 5 })
    await page.mouse.up()
    const value = async (label: string): Promise<number> =>
      Number(await editor.getByRole('textbox', { name: label, exact: true }).inputValue())
    expect(Math.abs((await value('宽')) - 200)).toBeLessThanOrEqual(1)
    expect(await value('高')).toBe(await value('宽'))
    expect(await value('左边距')).toBe(100)
    const small = await box.boundingBox()
    if (!small) throw new Error('no box')
    await page.mouse.move(small.x + small.width / 2, small.y + small.height / 2)
    await page.mouse.down()
    await page.mouse.move(0, small.y + small.height / 2, { steps: 5 })
    await page.mouse.up()
    expect(await value('左边距')).toBe(0)
    const [width, top] = [await value('宽'), await value('上边距')]
    await editor.getByRole('button', { name: '确定' }).click()
    await run(page, 1)
    expect(await places(page, '图.png')).toMatchObject({
      width,
      height: width,
      corners: [
        [0, top],
        [width - 1, top],
        [0, top + width - 1],
        [width - 1, top + width - 1],
      ],
    })
  })

  it('turns and mirrors what is seen, with the box', async () => {
    await using opened = await openPage(`${server().url}/edit/crop`)
    const { page } = opened
    await page.locator(fileInput).setInputFiles([await map('图.png', 600, 400)])
    const editor = editorOf(page)
    await type(editor, '宽', 100)
    await type(editor, '高', 50)
    await type(editor, '左边距', 20)
    await type(editor, '上边距', 30)
    await editor.getByRole('button', { name: '左右翻转' }).click()
    await editor.getByRole('button', { name: '右转' }).click()
    expect(await editor.getByRole('textbox', { name: '宽', exact: true }).inputValue()).toBe('50')
    await editor.getByRole('button', { name: '确定' }).click()
    await run(page, 1)
    // Mirrored, the part's right column comes first; a quarter clockwise then brings its lower left corner to the upper left.
    expect(await places(page, '图.png')).toEqual({
      width: 50,
      height: 100,
      corners: [
        [119, 79],
        [119, 30],
        [20, 79],
        [20, 30],
      ],
    })
  })

  it('cuts the same part out of pictures of two sizes, and takes numbers for one it cannot show', async () => {
    await using opened = await openPage(`${server().url}/edit/crop`)
    const { page } = opened
    const tiff = await sharp((await map('', 300, 200)).buffer)
      .tiff({ compression: 'lzw' })
      .toBuffer()
    await page
      .locator(fileInput)
      .setInputFiles([
        await map('大.png', 800, 400),
        await map('小.png', 200, 300),
        { name: '扫描.tif', mimeType: 'image/tiff', buffer: tiff },
      ])
    const editor = editorOf(page)
    await type(editor, '宽', 400)
    await type(editor, '高', 100)
    await type(editor, '左边距', 200)
    await type(editor, '上边距', 40)
    await editor.getByRole('button', { name: '应用到全部' }).click()
    await page.getByRole('button', { name: '裁剪 大.png' }).click()
    await editor.getByRole('button', { name: '下一张' }).click()
    await editor.getByText('2 / 3').waitFor()
    await editor.getByRole('button', { name: '下一张' }).click()
    await editor.getByText('此格式无法预览，请填写数值').waitFor()
    await editor.getByRole('combobox', { name: '单位' }).selectOption('px')
    await type(editor, '左边距', 10)
    await type(editor, '上边距', 20)
    await type(editor, '裁剪宽度', 30)
    await type(editor, '裁剪高度', 40)
    await editor.getByRole('button', { name: '确定' }).click()
    await run(page, 3)
    expect(await places(page, '大.png')).toMatchObject({
      width: 400,
      height: 100,
      corners: [
        [200, 40],
        [599, 40],
        [200, 139],
        [599, 139],
      ],
    })
    expect(await places(page, '小.png')).toMatchObject({
      width: 100,
      height: 75,
      corners: [
        [50, 30],
        [149, 30],
        [50, 104],
        [149, 104],
      ],
    })
    expect(await places(page, '扫描.tif')).toMatchObject({
      width: 30,
      height: 40,
      corners: [
        [10, 20],
        [39, 20],
        [10, 59],
        [39, 59],
      ],
    })
  })
})

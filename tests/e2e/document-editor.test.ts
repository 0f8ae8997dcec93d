import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { drawnPage, pagePhoto } from '../fixtures/pages.ts'
import { testServer } from '../fixtures/server.ts'

const corners = [
  [70, 50],
  [380, 84],
  [356, 520],
  [48, 470],
] as const
const { data, width, height } = pagePhoto(drawnPage(300, 424), 430, 580, corners)
const photo = {
  name: '合同.png',
  mimeType: 'image/png',
  buffer: await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer(),
}

describe("the editor of a page's photo", () => {
  it('finds the four corners, takes them by mouse and keys, and the result is cut where they lie', async () => {
    await using server = await testServer()
    await using opened = await openPage(`${server.url}/effect/idocrepaire`)
    const { page, complaints } = opened
    await page.locator(fileInput).setInputFiles([photo])
    await page.getByRole('button', { name: '调整四角 合同.png' }).click()
    const editor = page.getByRole('dialog', { name: /调整页面/ })
    const corner = (name: string) => editor.getByRole('button', { name: new RegExp(`^${name}，`) })
    // 70 of 430 and 50 of 580 pixels, as it was found.
    await editor.getByRole('button', { name: /^左上角，横 16\.\d%，纵 8\.\d%$/ }).waitFor()
    await editor.locator('canvas').waitFor({ state: 'visible' })
    const box = await corner('右下角').boundingBox()
    const stage = await editor.locator('img').first().boundingBox()
    if (!box || !stage) throw new Error('no corner')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2, { steps: 4 })
    await page.mouse.up()
    await editor.getByRole('button', { name: /^右下角，横 (49|50)\.\d%，纵 (49|50)\.\d%$/ }).waitFor()
    await editor.getByRole('button', { name: '全部还原' }).click()
    await editor.getByRole('button', { name: /^右下角，横 82\.\d%，纵 (89|90)\.\d%$/ }).waitFor()
    await editor.getByRole('button', { name: '整张图片' }).click()
    await corner('右下角').focus()
    for (let n = 0; n < 10; n++) await page.keyboard.press('Shift+ArrowLeft')
    await editor.getByRole('button', { name: '黑白' }).click()
    await editor.getByRole('button', { name: '应用' }).click()
    await editor.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 1 个').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^下载 合同/ }).click()])
    const result = await sharp(await readFile(await download.path()))
      .greyscale()
      .raw()
      .toBuffer()
    expect(new Set(result)).toEqual(new Set([0, 255]))
    expect(complaints).toEqual([])
  })
})

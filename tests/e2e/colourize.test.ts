import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { drag, shown } from '../fixtures/cut-out-editor.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

/** A grey sky over a grey field: two plain areas that meet in a sharp edge. */
const field = (): Promise<Buffer> =>
  sharp(Buffer.from(Array.from({ length: 480 * 320 }, (_, n) => (Math.floor(n / 480) < 160 ? 190 : 90))), {
    raw: { width: 480, height: 320, channels: 1 },
  })
    .png()
    .toBuffer()

const left = (page: Page): Promise<string> => page.getByText(/今日 AI 免费次数还剩 \d+ 次/).innerText()

/** How much bluer than red a pixel is. */
const blueness = ([red = 0, , blue = 0]: readonly number[]): number => blue - red

it('strokes colour a photo as far as its edges, can be taken back, and are laid on the result for nothing', async () => {
  await using opened = await openPage(`${server().url}/effect/iblack`)
  const { page, complaints } = opened
  await page.getByRole('combobox', { name: '颜色来自' }).selectOption('none')
  await page.locator(fileInput).setInputFiles([{ name: '田野.png', mimeType: 'image/png', buffer: await field() }])
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('已完成 1 个').waitFor()
  const open = async () => {
    await page.getByRole('button', { name: '修正颜色 田野.png' }).click()
    const dialog = page.getByRole('dialog', { name: /修正颜色/ })
    const stage = dialog.getByRole('application', { name: '画布' })
    await stage.waitFor()
    return { dialog, stage }
  }
  const { dialog, stage } = await open()
  await expect.poll(() => shown(stage, 0.5, 0.2)).toEqual([190, 190, 190, 255])
  await dialog.getByRole('button', { name: '天空' }).click()
  await drag(page, stage, [0.3, 0.2], [0.6, 0.25])
  await expect.poll(async () => blueness(await shown(stage, 0.9, 0.1)), { timeout: 30_000 }).toBeGreaterThan(25)
  await page.keyboard.press('Control+z')
  await expect.poll(() => shown(stage, 0.9, 0.1), { timeout: 30_000 }).toEqual([190, 190, 190, 255])
  await page.keyboard.press('Control+y')
  await expect.poll(async () => blueness(await shown(stage, 0.9, 0.1)), { timeout: 30_000 }).toBeGreaterThan(25)
  // Another stroke as far as the edge; taken away by itself, and brought back.
  await dialog.getByRole('button', { name: '红布' }).click()
  await drag(page, stage, [0.3, 0.8], [0.6, 0.8])
  await expect.poll(async () => blueness(await shown(stage, 0.5, 0.9)), { timeout: 30_000 }).toBeLessThan(-25)
  expect(blueness(await shown(stage, 0.9, 0.1))).toBeGreaterThan(25)
  await dialog.getByRole('button', { name: '擦除' }).click()
  await drag(page, stage, [0.5, 0.8], [0.5, 0.8])
  await expect.poll(async () => blueness(await shown(stage, 0.5, 0.9)), { timeout: 30_000 }).toBeGreaterThan(0)
  await dialog.getByRole('button', { name: '撤销' }).click()
  await expect.poll(async () => blueness(await shown(stage, 0.5, 0.9)), { timeout: 30_000 }).toBeLessThan(-25)
  expect(await violations(page, 'colour editor')).toEqual([])
  await dialog.getByRole('button', { name: '确定' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('已完成 1 个').waitFor()
  const paid = await left(page)

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^下载 田野/ }).click()])
  const { data } = await sharp(await readFile(await download.path()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * 480 + x) * 3, (y * 480 + x) * 3 + 3)]
  expect(blueness(at(430, 30))).toBeGreaterThan(25)
  expect(blueness(at(240, 290))).toBeLessThan(-25)

  const again = await open()
  await again.dialog.getByRole('button', { name: '草地' }).click()
  await drag(page, again.stage, [0.3, 0.8], [0.6, 0.8])
  await again.dialog.getByText('确定后重新处理，不另计次数。').waitFor()
  await again.dialog.getByRole('button', { name: '确定' }).click()
  await again.dialog.waitFor({ state: 'detached' })
  await page.getByText('已完成 1 个').waitFor()
  expect(await left(page)).toBe(paid)
  expect(complaints).toEqual([])
})

it('before a photo is coloured there is nothing to mend; a reference photo is asked for where colours come from one', async () => {
  await using opened = await openPage(`${server().url}/effect/iblack`)
  const { page } = opened
  await page.locator(fileInput).setInputFiles([{ name: '田野.png', mimeType: 'image/png', buffer: await field() }])
  await page.getByText('田野.png').first().waitFor()
  expect(await page.getByRole('button', { name: /^修正颜色/ }).count()).toBe(0)
  await page.getByRole('combobox', { name: '颜色来自' }).selectOption('reference')
  await page.getByRole('button', { name: /选择参考照片/ }).waitFor()
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('请选择一张参考照片。').first().waitFor()
})

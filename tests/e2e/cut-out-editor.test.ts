import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { dialogOf, drag, open, shown, start } from '../fixtures/cut-out-editor.ts'
import { answerJobs, cutOutParts } from '../fixtures/cut-out-job.ts'
import { portrait } from '../fixtures/portraits.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

/** Puts a picture on a page and has it cut out. */
async function cutOut(page: Page): Promise<void> {
  await page.locator(fileInput).setInputFiles([{ name: '人像.jpg', mimeType: 'image/jpeg', buffer: await portrait(900, 1200) }])
  await start(page, 1)
}

/** The result as another decoder reads it: RGBA at places in parts of its sides, and its size. */
async function result(page: Page) {
  const link = page.getByRole('link', { name: /^下载 人像/ })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const { data, info } = await sharp(await readFile(await download.path()))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number): number[] => {
    const from = 4 * (Math.floor(y * info.height) * info.width + Math.floor(x * info.width))
    return [...data.subarray(from, from + 4)]
  }
  return { at, width: info.width, height: info.height }
}

const isNear = (one: readonly number[], other: readonly number[], by: number): boolean =>
  one.every((value, n) => Math.abs(value - (other[n] ?? NaN)) <= by)

describe('the cut-out editor', () => {
  it('erases and brings back what is painted over, and the server makes just what was seen', async () => {
    await using opened = await openPage(`${server().url}/transparent/person`)
    const { page, complaints } = opened
    await cutOut(page)
    const stage = await open(page)
    const dialog = dialogOf(page)
    await expect.poll(() => shown(stage, 0.5, 0.4)).toSatisfy((pixel: number[]) => pixel[3] === 255)
    expect((await shown(stage, 0.1, 0.1))[3]).toBe(0)
    // A bar through the face away, and a piece of the wall back.
    await drag(page, stage, [0.3, 0.4], [0.7, 0.4])
    await expect.poll(async () => (await shown(stage, 0.5, 0.4))[3]).toBe(0)
    await dialog.getByRole('button', { name: '保留' }).click()
    await drag(page, stage, [0.05, 0.1], [0.3, 0.1])
    await expect.poll(async () => (await shown(stage, 0.1, 0.1))[3]).toBe(255)
    const seen = { wall: await shown(stage, 0.2, 0.1), face: await shown(stage, 0.5, 0.5) }
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await shown(stage, 0.1, 0.1))[3]).toBe(0)
    await page.keyboard.press('Control+y')
    await expect.poll(async () => (await shown(stage, 0.1, 0.1))[3]).toBe(255)
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('已完成 1 个').waitFor()
    const { at, width, height } = await result(page)
    expect([width, height]).toEqual([900, 1200])
    expect(at(0.5, 0.4)[3]).toBe(0)
    expect(isNear(at(0.2, 0.1), seen.wall, 24)).toBe(true)
    expect(isNear(at(0.5, 0.5), seen.face, 24)).toBe(true)
    expect(complaints).toEqual([])
  })

  it('keeps strokes as they can be taken back, and lays the subject on a colour with a shadow, cropped', async () => {
    await using opened = await openPage(`${server().url}/transparent/goods`)
    const { page } = opened
    await cutOut(page)
    let stage = await open(page)
    await drag(page, stage, [0.3, 0.4], [0.7, 0.4])
    await dialogOf(page).getByRole('button', { name: '确定' }).click()
    await page.getByText('已完成 1 个').waitFor()
    stage = await open(page)
    await expect.poll(async () => (await shown(stage, 0.5, 0.4))[3]).toBe(0)
    const dialog = dialogOf(page)
    await dialog.getByRole('button', { name: '撤销' }).click()
    await expect.poll(async () => (await shown(stage, 0.5, 0.4))[3]).toBe(255)
    await dialog.getByRole('button', { name: '蓝', exact: true }).click()
    await dialog.getByRole('switch', { name: '裁剪到主体' }).check()
    await dialog.getByRole('combobox', { name: '阴影' }).selectOption('drop')
    await dialog.getByRole('button', { name: '确定' }).click()
    await page.getByText('已完成 1 个').waitFor()
    const { at, width, height } = await result(page)
    expect(width * height).toBeLessThan(900 * 1200)
    expect(isNear(at(0.01, 0.01), [67, 142, 219, 255], 6)).toBe(true)
  })

  it('gives all files one background, and the strokes of one to none of the others', async () => {
    await using opened = await openPage(`${server().url}/matting/goods`)
    const { page } = opened
    const parts = await cutOutParts(600, 800)
    const asked = await answerJobs(page, parts)
    await page.locator(fileInput).setInputFiles([parts.upload, { ...parts.upload, name: '另一张.jpg' }])
    await start(page, 2)
    await page.getByRole('button', { name: '修边 另一张.jpg' }).click()
    const dialog = dialogOf(page)
    const stage = dialog.getByRole('application', { name: '画布' })
    await stage.locator('canvas').first().waitFor()
    await drag(page, stage, [0.3, 0.4], [0.7, 0.4])
    await dialog.getByRole('button', { name: '红', exact: true }).click()
    await dialog.getByRole('slider', { name: '边缘羽化' }).fill('6')
    await dialog.getByRole('button', { name: '应用到全部' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => asked.options.length).toBe(4)
    const again = asked.options.slice(2)
    for (const options of again) expect(options).toMatchObject({ background: { by: 'colour', colour: '#ff0000' }, feather: 6 })
    expect(again.map(({ strokes }) => (Array.isArray(strokes) ? strokes.length : NaN)).toSorted()).toEqual([0, 1])
  })

  it('paints by keys alone, with a crosshair, and sets the brush by keys', async () => {
    await using opened = await openPage(`${server().url}/transparent/person`)
    const { page } = opened
    const parts = await cutOutParts(600, 800)
    await answerJobs(page, parts)
    await page.locator(fileInput).setInputFiles([parts.upload])
    await start(page, 1)
    const stage = await open(page)
    await expect.poll(async () => (await shown(stage, 0.5, 0.5))[3]).toBe(255)
    expect(await violations(page, 'editor')).toEqual([])
    await stage.focus()
    const before = await dialogOf(page).getByRole('slider', { name: '笔刷大小' }).inputValue()
    for (let press = 0; press < 3; press++) await page.keyboard.press(']')
    expect(Number(await dialogOf(page).getByRole('slider', { name: '笔刷大小' }).inputValue())).toBeGreaterThan(Number(before))
    // The crosshair begins in the middle.
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await shown(stage, 0.5, 0.5))[3]).toBe(0)
    for (let press = 0; press < 3; press++) await page.keyboard.press('Shift+ArrowUp')
    expect((await shown(stage, 0.5, 0.36))[3]).toBe(255)
    await page.keyboard.press('Enter')
    await page.getByText('已涂 2 笔').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await shown(stage, 0.5, 0.5))[3]).toBe(255)
  })
})

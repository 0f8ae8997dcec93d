import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

const [WIDTH, HEIGHT] = [640, 420]

/** A wall with a step in its light, and noise on it that is the same every time; without loss, so that what is seen is what is sent. */
function noisyWall(): Promise<Buffer> {
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const data = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let n = 0; n < data.length; n++) {
    const x = Math.floor(n / 3) % WIDTH
    data[n] = Math.max(0, Math.min(255, Math.round((x < WIDTH / 2 ? 90 : 160) + 40 * (random() + random() + random() - 1.5))))
  }
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png()
    .toBuffer()
}

/** How far samples stray from their mean, of a square away from any edge. */
function spread(samples: readonly number[]): number {
  const mean = samples.reduce((sum, one) => sum + one, 0) / samples.length
  return Math.sqrt(samples.reduce((sum, one) => sum + (one - mean) ** 2, 0) / samples.length)
}

const SQUARE = { left: 420, top: 150, width: 60, height: 60 }

/** The green samples of the square as the editor shows them; none where nothing is shown yet. */
const seen = (stage: Locator): Promise<number[]> =>
  stage.locator('canvas').evaluate((canvas, { left, top, width, height }) => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no canvas')
    const { data } = canvas.getContext('2d')?.getImageData(left, top, width, height) ?? { data: [] }
    return [...data].filter((_, n) => n % 4 === 1)
  }, SQUARE)

async function open(page: Page): Promise<{ readonly dialog: Locator; readonly stage: Locator }> {
  await page.getByRole('button', { name: '预览 墙.png' }).click()
  const dialog = page.getByRole('dialog', { name: /预览与调整/ })
  const stage = dialog.getByRole('group', { name: /^图片区域/ })
  await stage.locator('canvas').waitFor({ state: 'attached' })
  return { dialog, stage }
}

it('an effect is seen as it is slid, and the result is what was seen', async () => {
  await using opened = await openPage(`${server().url}/effect/idenoise`)
  const { page, complaints } = opened
  const file = await noisyWall()
  await page.locator(fileInput).setInputFiles([{ name: '墙.png', mimeType: 'image/png', buffer: file }])
  const { dialog, stage } = await open(page)
  const noise = spread(
    await sharp(file)
      .extract(SQUARE)
      .extractChannel(1)
      .raw()
      .toBuffer()
      .then((all) => [...all]),
  )
  await expect.poll(async () => spread(await seen(stage)), { timeout: 60_000 }).toBeLessThan(noise / 2)
  const slider = dialog.getByRole('slider', { name: '强度' })
  await slider.fill('10')
  await expect.poll(async () => spread(await seen(stage)), { timeout: 60_000 }).toBeGreaterThan(noise / 2)
  await slider.fill('0')
  await dialog.getByText('强度为 0，图片不变。').waitFor()
  await slider.fill('70')
  await expect.poll(async () => spread(await seen(stage)), { timeout: 60_000 }).toBeLessThan(noise / 2)
  await expect.poll(() => dialog.getByText('正在计算…').count(), { timeout: 60_000 }).toBe(0)
  const shown = await seen(stage)
  expect(await violations(page, 'effect editor')).toEqual([])
  // The divider by keys.
  const divider = dialog.getByRole('slider', { name: '对比分割线' })
  await divider.press('Home')
  expect(await divider.getAttribute('aria-valuenow')).toBe('0')
  await dialog.getByRole('button', { name: '应用到此图片' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('已完成 1 个').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^下载 墙/ }).click()])
  const result = await sharp(await readFile(await download.path()))
    .extract(SQUARE)
    .removeAlpha()
    .extractChannel(1)
    .raw()
    .toBuffer()
  expect(Math.max(...shown.map((value, n) => Math.abs(value - (result[n] ?? 0))))).toBeLessThanOrEqual(1)
  // What was made is shown itself, until something else is asked for.
  const again = await open(page)
  await again.stage.getByRole('img', { name: '处理后' }).waitFor()
  await again.dialog.getByRole('slider', { name: '强度' }).fill('20')
  await again.dialog.getByRole('button', { name: '应用并重新处理' }).waitFor()
  expect(complaints).toEqual([])
})

it('where the browser can show nothing, the strength can be set all the same; one for all goes to the page', async () => {
  await using opened = await openPage(`${server().url}/effect/idenoise`)
  const { page } = opened
  const nothing = { mimeType: 'image/heic', buffer: Buffer.from('no picture') }
  await page.locator(fileInput).setInputFiles([
    { name: '甲.heic', ...nothing },
    { name: '乙.heic', ...nothing },
  ])
  await page.getByRole('button', { name: '预览 甲.heic' }).click()
  const dialog = page.getByRole('dialog', { name: /预览与调整/ })
  await dialog.getByText('浏览器无法显示此格式，不能预览；强度照样可以调整。').waitFor()
  await dialog.getByRole('textbox', { name: '强度数值' }).fill('65')
  await dialog.getByRole('button', { name: '应用到全部' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('textbox', { name: '强度数值' }).inputValue()).toBe('65')
})

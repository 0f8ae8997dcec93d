import { describe, expect, it } from 'vitest'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { dialogOf, drag, open, shown, start } from '../fixtures/cut-out-editor.ts'
import { answerJobs, cutOutParts } from '../fixtures/cut-out-job.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

describe('the cut-out editor, as its parts come,', () => {
  it('begins with nothing where no subject was found, and hands in what is painted', async () => {
    await using opened = await openPage(`${server().url}/transparent/person`)
    const { page } = opened
    const parts = await cutOutParts(600, 800)
    const asked = await answerJobs(page, parts)
    asked.outcome = { state: 'failed', error: { code: 'cutout.no-subject', data: {} } }
    await page.locator(fileInput).setInputFiles([parts.upload])
    await page.getByRole('button', { name: '开始处理' }).click()
    const stage = await open(page)
    await expect.poll(async () => (await shown(stage, 0.5, 0.5))[3]).toBe(0)
    // The brush that brings back is at hand, and what it brings back is seen faintly.
    const dialog = dialogOf(page)
    await dialog.getByText('请用“保留”画笔涂出要留下的部分').waitFor()
    expect(await dialog.getByRole('button', { name: '保留' }).getAttribute('aria-pressed')).toBe('true')
    expect(await stage.locator('img').count()).toBe(1)
    await drag(page, stage, [0.4, 0.5], [0.6, 0.5])
    await expect.poll(async () => (await shown(stage, 0.5, 0.5))[3]).toBe(255)
    expect(await dialog.getByText('请用“保留”画笔').count()).toBe(0)
    await dialog.getByRole('button', { name: '擦除' }).click()
    expect(await stage.locator('img').count()).toBe(0)
    // Of one file there are no others.
    expect(await dialog.getByRole('button', { name: '应用到全部' }).count()).toBe(0)
    asked.outcome = { state: 'done' }
    await dialogOf(page).getByRole('button', { name: '确定' }).click()
    await page.getByText('已完成 1 个').waitFor()
    expect(asked.options.at(-1)).toMatchObject({ strokes: [{ mode: 'keep' }] })
  })

  it('says what is the matter when its parts fail to come or are gone, and leads on', async () => {
    await using opened = await openPage(`${server().url}/transparent/person`)
    const { page } = opened
    const parts = await cutOutParts(600, 800)
    const asked = await answerJobs(page, parts)
    await page.locator(fileInput).setInputFiles([parts.upload])
    await start(page, 1)
    asked.parts = 'failing'
    await page.getByRole('button', { name: '修边 人像.jpg' }).click()
    const dialog = dialogOf(page)
    await dialog.getByText('图片加载失败，请检查网络后重试。').waitFor()
    asked.parts = 'gone'
    await dialog.getByRole('button', { name: '重试' }).click()
    await dialog.getByText('修边所需的文件已过期并删除').waitFor()
    asked.parts = 'there'
    await dialog.getByRole('button', { name: '重新处理' }).click()
    await dialog.locator('canvas').first().waitFor()
    expect(await dialog.getByText('修边所需的文件').count()).toBe(0)
  })

  it('shows what is looked at closely at full size, sharper than its preview', async () => {
    await using opened = await openPage(`${server().url}/transparent/person`)
    const { page } = opened
    const parts = await cutOutParts(1800, 2400)
    await answerJobs(page, parts)
    await page.locator(fileInput).setInputFiles([parts.upload])
    await start(page, 1)
    const stage = await open(page)
    const detail = stage.locator('canvas').nth(1)
    expect(await detail.isHidden()).toBe(true)
    await dialogOf(page).getByRole('button', { name: '100%' }).click()
    await detail.waitFor()
    // Along a row through the face: from ground to subject in one step, where the preview, half as large, needs more.
    const steps = (): Promise<number> =>
      detail.evaluate((canvas) => {
        if (!(canvas instanceof HTMLCanvasElement)) return NaN
        const row = canvas.getContext('2d')?.getImageData(0, Math.floor(canvas.height / 2), canvas.width, 1).data ?? []
        return Array.from({ length: row.length / 4 }, (_, n) => row[4 * n + 3] ?? NaN).filter((alpha) => alpha > 0 && alpha < 255).length
      })
    await expect.poll(() => detail.evaluate((canvas) => (canvas instanceof HTMLCanvasElement ? canvas.width : 0))).toBeGreaterThan(500)
    expect(await steps()).toBe(0)
    // Painted over, it is up to date again once the hand rests.
    const box = await stage.boundingBox()
    if (!box) throw new Error('no stage')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 - 60)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 60, { steps: 6 })
    await page.mouse.up()
    const middle = (): Promise<number | undefined> =>
      detail.evaluate((canvas) => {
        if (!(canvas instanceof HTMLCanvasElement)) return undefined
        return canvas.getContext('2d')?.getImageData(Math.floor(canvas.width / 2), Math.floor(canvas.height / 2), 1, 1).data[3]
      })
    await expect.poll(middle).toBe(0)
    await expect.poll(steps).toBeGreaterThan(4)
  })
})

import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { drawnPicture } from '../fixtures/drawn-subjects.ts'
import { testServer } from '../fixtures/server.ts'

interface Picked {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

async function person(name: string): Promise<Picked> {
  const { data, width, height } = await drawnPicture('person', 480, 640, { across: 0.5, top: 0.15, tall: 0.85 })
  const buffer = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
  return { name, mimeType: 'image/jpeg', buffer }
}

async function flat(name: string, background: string, side = 300): Promise<Picked> {
  const plain = sharp({ create: { width: side, height: side, channels: 3, background } })
  return { name, mimeType: 'image/png', buffer: await plain.png().toBuffer() }
}

const swatch = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const start = (page: Page) => page.getByRole('button', { name: '开始处理' })

async function downloaded(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: `下载 ${name}` }).click()])
  return readFile(await download.path())
}

/** Drops a file on a part of a page, as the mouse does. */
async function drop(page: Page, { name, mimeType: type, buffer }: Picked, target: Locator): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([bytes, file]) => {
      const carried = new DataTransfer()
      carried.items.add(new File([new Uint8Array(bytes)], file.name, { type: file.type }))
      return carried
    },
    [[...buffer], { name, type }] as const,
  )
  for (const event of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(event, { dataTransfer })
}

/** The colour of one pixel, from the top left; alpha last. */
async function colourAt(file: Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(file).ensureAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer())]
}

const isNear = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((value, n) => Math.abs(value - (other[n] ?? 0)) <= 6)

/** Whether the row's picture is of the result: blue in its corner. Runs in the page. */
function isRowBlue(): boolean {
  const picture = document.querySelector<HTMLImageElement>('[data-index] img')
  const context = document.createElement('canvas').getContext('2d')
  if (!picture?.complete || !context) return false
  context.drawImage(picture, 0, 0)
  const [red = 0, , blue = 0] = context.getImageData(3, 3, 1, 1).data
  return blue > 200 && red < 90
}

/** What the page says is left for nothing today. */
const left = (page: Page, count: number) => page.getByText(`今日 AI 免费次数还剩 ${count} 次`).waitFor()

describe('a cut-out', () => {
  it('is asked for, put on blue, compared, and made anew on nothing for nothing', async () => {
    await using server = await testServer({}, { FREE_AI: '5' })
    await using opened = await openPage(`${server.url}/matting`, { hasAgreed: false })
    const { page, complaints } = opened
    await page.waitForURL('**/matting/person')
    await page.locator(fileInput).setInputFiles([await person('王芳.jpg')])
    await swatch(page, '蓝').click()
    await left(page, 5)
    await start(page).click()
    // Declined, nothing goes up, and the page says what to do.
    const question = page.getByRole('dialog', { name: '上传照片前，请您确认' })
    await question.getByText('绝不用于训练模型').waitFor()
    expect(await violations(page, 'consent')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('alert').getByText('图片未上传').waitFor()
    expect(await page.getByText('待处理').count()).toBe(1)
    await start(page).click()
    await question.getByRole('button', { name: '同意并继续' }).click()
    await page.getByText('已完成 1 个').waitFor()
    await page.getByText('AI 处理', { exact: true }).waitFor()
    await left(page, 4)
    await page.waitForFunction(isRowBlue)
    const blue = await downloaded(page, '王芳.jpg')
    expect(isNear(await colourAt(blue, 10, 10), [67, 142, 219, 255])).toBe(true)
    expect(isNear(await colourAt(blue, 240, 600), [43, 58, 103, 255])).toBe(true)
    expect(await violations(page, 'done')).toEqual([])

    await swatch(page, '透明').click()
    await page.getByText('1 个可按新设置重新处理，不另计次数').waitFor()
    await start(page).click()
    await page.getByText('可按新设置重新处理').waitFor({ state: 'detached' })
    await page.getByText('已完成 1 个').waitFor()
    expect((await colourAt(await downloaded(page, '王芳.jpg'), 10, 10))[3]).toBe(0)
    await left(page, 4)
    // Asked but once in a browser.
    expect(await question.count()).toBe(0)

    await page.getByRole('button', { name: '对比 王芳.jpg' }).click()
    const compare = page.getByRole('dialog', { name: /图片对比/ })
    await compare.getByRole('slider').waitFor()
    await compare.getByText('结果').first().waitFor()
    expect(await compare.locator('img').count()).toBe(2)
    expect(complaints).toEqual([])
  })

  it('stands on one picture for all files, which is asked for, refused and taken at its field', async () => {
    await using server = await testServer()
    await using opened = await openPage(`${server.url}/matting/person`)
    const { page, complaints } = opened
    await page.locator(fileInput).setInputFiles([await person('甲.jpg'), await person('乙.jpg')])
    await swatch(page, '图片').click()
    await start(page).click()
    const field = page.getByRole('group', { name: '背景图片' })
    await field.getByRole('alert').getByText('请选择一张背景图片。').waitFor()
    expect(await page.getByText('待处理').count()).toBe(2)
    const input = field.locator('input[type=file]')
    await input.setInputFiles({ name: '合同.docx', mimeType: 'application/msword', buffer: Buffer.from('.') })
    await field.getByRole('alert').getByText('不支持该文件类型').waitFor()
    expect(await violations(page, 'background refused')).toEqual([])
    await input.setInputFiles([await flat('草地.png', '#20b040')])
    await field.getByText('草地.png').waitFor()
    expect(await field.getByRole('alert').count()).toBe(0)
    const puts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') puts.push(request.url())
    })
    await start(page).click()
    await page.getByText('已完成 2 个').waitFor()
    for (const name of ['甲.jpg', '乙.jpg']) {
      const result = await downloaded(page, name)
      expect(isNear(await colourAt(result, 10, 10), [32, 176, 64, 255])).toBe(true)
    }
    expect(puts).toHaveLength(3)
    // Another picture: all are made anew, and nothing but it is uploaded.
    await drop(page, await flat('砖墙.png', '#a04020'), field.getByText('草地.png'))
    await page.getByText('2 个可按新设置重新处理').waitFor()
    expect(await page.getByText('共 2 个文件').count()).toBe(1)
    await start(page).click()
    await page.getByText('可按新设置重新处理').waitFor({ state: 'detached' })
    await page.getByText('已完成 2 个').waitFor()
    expect(isNear(await colourAt(await downloaded(page, '乙.jpg'), 10, 10), [160, 64, 32, 255])).toBe(true)
    expect(puts).toHaveLength(4)
    expect(complaints).toEqual([])
  })

  it('is left to be made by hand where no subject is found', async () => {
    await using server = await testServer({}, { FREE_AI: '5' })
    await using opened = await openPage(`${server.url}/transparent`, { viewport: { width: 390, height: 844 } })
    const { page } = opened
    await page.waitForURL('**/transparent/general')
    await page.locator(fileInput).setInputFiles([await flat('灰.png', '#888888')])
    await start(page).click()
    await page.getByText('未识别到主体').waitFor()
    await page.getByRole('button', { name: '修边', exact: true }).waitFor()
    expect(await violations(page, 'no subject')).toEqual([])
    await page.getByRole('button', { name: /^设置/ }).click()
    await left(page, 5)
  })
})

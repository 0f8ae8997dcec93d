import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { openPage } from '../fixtures/browser.ts'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { unzip } from '../fixtures/unzip.ts'

const server = sharedServer()

/** Drops files and folders of this machine on the page, as the system does: the browser itself reads the folders. */
async function dropOn(page: Page, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data })
}

async function downloadAll(page: Page): Promise<ReadonlyMap<string, Buffer>> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '全部下载' }).click()])
  return unzip(await readFile(await download.path()))
}

describe('files', () => {
  it('of dropped folders come whole, however many and however deep, each with its place', async () => {
    await using folder = await testFolder()
    const small = await photo(40, 30).jpeg().toBuffer()
    const names = Array.from({ length: 5 }, (_, n) => `资料/图${n}.jpg`)
    // A folder hands its entries out a hundred at a time.
    names.push(...Array.from({ length: 105 }, (_, n) => `资料/第一层/第二层/深${n}.jpg`), '单张.jpg')
    for (const name of [...names, '资料/.DS_Store', '资料/第一层/Thumbs.db', '资料/空的/._图.jpg']) {
      await mkdir(dirname(join(folder.path, name)), { recursive: true })
      await writeFile(join(folder.path, name), small)
    }
    await using opened = await openPage(server().url)
    const { page, complaints } = opened
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await dropOn(page, [join(folder.path, '资料'), join(folder.path, '单张.jpg')])
    await page.getByText(`共 ${names.length} 个文件`).waitFor()
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText(`已完成 ${names.length} 个`).waitFor()
    expect([...(await downloadAll(page)).keys()].toSorted()).toEqual(names.toSorted())
    expect(complaints).toEqual([])
  })

  it('pasted from the clipboard are added under a name that says when', async () => {
    await using opened = await openPage(server().url, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page, complaints } = opened
    const png = await photo(640, 480).png().toBuffer()
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })])
    }, png.toString('base64'))
    await page.keyboard.press('Control+V')
    const name = page.locator('li b[title]')
    await name.waitFor()
    expect(await name.textContent()).toMatch(/^截图-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d\.png$/)
    await page.getByLabel('目标大小', { exact: true }).fill('50')
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 1 个').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^下载 截图/ }).click()])
    const result = await readFile(await download.path())
    expect(result.length).toBeLessThanOrEqual(50 * 1024)
    expect(await sharp(result).metadata()).toMatchObject({ format: 'png' })
    expect(complaints).toEqual([])
  })
})

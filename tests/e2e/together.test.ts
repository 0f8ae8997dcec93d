import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { unzip } from '../fixtures/unzip.ts'

const shared = sharedServer()

const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })

describe('the zip page', () => {
  it('packs all its files into one, and again when one is added', async () => {
    await using opened = await openPage(`${shared().url}/zip`)
    const { page } = opened
    await page.locator(fileInput).setInputFiles([text('一.txt', '一'), text('二.txt', '二'), text('空.txt', '')])
    await page.getByLabel('压缩包名称').fill('合同')
    await page.getByLabel('解压密码').fill('x')
    await page.getByLabel('解压密码').fill('')
    await page.getByRole('button', { name: '开始处理' }).click()
    const result = page.getByRole('list', { name: '结果' }).getByRole('link', { name: '下载' })
    await result.waitFor()
    const names = async (): Promise<string[]> => {
      const coming = page.waitForEvent('download')
      await result.click()
      const download = await coming
      expect(download.suggestedFilename()).toBe('合同.zip')
      return [...(await unzip(await readFile(await download.path()))).keys()]
    }
    expect(await names()).toEqual(['一.txt', '二.txt', '空.txt'])
    await page.locator(fileInput).setInputFiles([text('三.txt', '三')])
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 4 个').waitFor()
    expect(await names()).toEqual(['一.txt', '二.txt', '空.txt', '三.txt'])
  })

  it('finds its files and their zip again after a reload, and keeps no password', async () => {
    await using opened = await openPage(`${shared().url}/zip`)
    const { page } = opened
    await page.locator(fileInput).setInputFiles([text('一.txt', '一'), text('二.txt', '二')])
    await page.getByLabel('解压密码').fill('机密123')
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 2 个').waitFor()
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('机密123')
    await page.reload()
    await page.getByText('已完成 2 个').waitFor()
    expect(await page.getByRole('list', { name: '结果' }).getByRole('listitem').count()).toBe(1)
  })

  it('makes none that lacks a file taken away in its middle', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage(`${server.url}/zip`)
    const { page } = opened
    const large = Buffer.alloc(8e6, 'abcdefgh9')
    const files = [1, 2].map((n) => ({ name: `${n}.bin`, mimeType: 'application/octet-stream', buffer: large.fill(`${n}x`, 0, 9) }))
    await page.locator(fileInput).setInputFiles(files)
    await page.getByRole('button', { name: '开始处理' }).click()
    await page
      .getByText(/上传中|处理中|排队中/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: '移除 1.bin' }).click()
    await expect.poll(() => page.locator('li b[title]').allTextContents()).toEqual(['2.bin'])
    await page
      .getByText(/待处理|已完成/)
      .first()
      .waitFor()
    const listed = page.getByRole('list', { name: '结果' }).getByRole('link', { name: '下载' })
    if ((await listed.count()) === 0) await page.getByRole('button', { name: '开始处理' }).click()
    await listed.waitFor()
    const coming = page.waitForEvent('download')
    await listed.click()
    expect([...(await unzip(await readFile(await (await coming).path()))).keys()]).toEqual(['2.bin'])
  })
})

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer } from '../fixtures/server.ts'
import { pages, type ToolPage } from '#shared/tools/index'

/** Of what opens over the page on a phone; ends with a file's actions open. */
async function sheetViolations(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const name of [/^全部功能$/, /^设置/, /^更多 小图/]) {
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').waitFor()
    found.push(...(await violations(page, String(name))))
    if (name.source.startsWith('^更多')) break
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  return found
}

describe.each([1440, 1024, 390])('at %i px wide', (width) => {
  it('every page and state can be used by everyone', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage(server.url, { viewport: { width, height: 900 } })
    const { page } = opened
    const found: string[] = []
    // Between desktop and phone the frame changes, and every form is one of a tool's; pages with the same form differ in their words.
    const formOf = ({ tool, page: { shows, picks } }: ToolPage): string =>
      width === 1024 ? tool.id : JSON.stringify([tool.id, shows, picks])
    const shown = pages.filter((one, n) => pages.findIndex((other) => formOf(other) === formOf(one)) === n)
    for (const { page: one } of shown) {
      await page.goto(server.url + one.path)
      await page.getByRole('button', { name: '选择图片' }).waitFor()
      found.push(...(await violations(page, `${one.path} empty`)))
    }
    await page.goto(`${server.url}/convert`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    found.push(...(await violations(page, 'not built')))
    await page.goto(server.url)
    const slow = await photo(1800, 1500).png({ compressionLevel: 1 }).toBuffer()
    const small = await photo(100, 100).jpeg().toBuffer()
    await page.locator(fileInput).setInputFiles([
      { name: '小图.jpg', mimeType: 'image/jpeg', buffer: small },
      { name: '坏.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
      { name: '慢.png', mimeType: 'image/png', buffer: slow },
      { name: '慢2.png', mimeType: 'image/png', buffer: slow },
    ])
    found.push(...(await violations(page, 'ready')))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('处理中…').first().waitFor()
    found.push(...(await violations(page, 'working')))
    await page.getByText('已完成 3 个').waitFor()
    found.push(...(await violations(page, 'done')))
    await page.getByRole('button', { name: '大图' }).click()
    found.push(...(await violations(page, 'large pictures')))
    if (width < 768) found.push(...(await sheetViolations(page)))
    await page.getByRole('button', { name: /^对比/ }).first().click()
    await page.getByRole('slider').waitFor()
    found.push(...(await violations(page, 'compare')))
    await page.keyboard.press('Escape')
    await page.context().setOffline(true)
    await page.getByText('网络已断开').first().waitFor()
    found.push(...(await violations(page, 'offline')))
    expect(found).toEqual([])
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(isWider).toBe(false)
  })
})

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { photo } from '../fixtures/pictures.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

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

const server = sharedServer({}, { WORKERS: '1' })

describe.each([1440, 1024, 390])('at %i px wide', (width) => {
  it('every state can be used by everyone', async () => {
    await using opened = await openPage(server().url, { viewport: { width, height: 900 } })
    const { page } = opened
    const found: string[] = []
    await page.goto(server().url)
    const slow = await photo(900, 700).png({ compressionLevel: 1 }).toBuffer()
    const small = await photo(100, 100).jpeg().toBuffer()
    await page.locator(fileInput).setInputFiles([
      { name: '小图.jpg', mimeType: 'image/jpeg', buffer: small },
      { name: '坏.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
      { name: '慢.png', mimeType: 'image/png', buffer: slow },
      { name: '等.jpg', mimeType: 'image/jpeg', buffer: small },
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

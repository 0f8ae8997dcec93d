import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer } from '../fixtures/server.ts'
import { pages } from '#shared/tools/index'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

async function violations(page: Page, state: string): Promise<string[]> {
  // Colours are measured once they have stopped changing.
  await page.waitForTimeout(300)
  const { violations: found } = await new AxeBuilder({ page }).withTags(RULES).analyze()
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${state}: ${id} ${String(target)} ${failureSummary ?? ''}`),
  )
}

describe.each([1440, 1024, 390])('at %i px wide', (width) => {
  it('every page and state can be used by everyone', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage(server.url, { viewport: { width, height: 900 } })
    const { page } = opened
    const found: string[] = []
    for (const { page: one } of pages) {
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

it('a picture is compressed and compared by keyboard alone', async () => {
  await using server = await testServer()
  await using opened = await openPage(server.url)
  const { page } = opened
  await page.getByRole('button', { name: '选择图片' }).waitFor()
  // Heard from the start: the browser is told to hand the dialog over, and that takes a moment.
  page.on('filechooser', () => {})
  const tabTo = async (name: RegExp): Promise<void> => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      const text = await page.evaluate(() => {
        const { activeElement } = document
        return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? ''
      })
      if (name.test(text.trim())) return
    }
    throw new Error(`no way to ${name}`)
  }
  await tabTo(/^选择图片$/)
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  await chooser.setFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo(900, 700).jpeg({ quality: 95 }).toBuffer() }])
  await tabTo(/^50 KB$/)
  await page.keyboard.press('Enter')
  await tabTo(/^开始处理$/)
  await page.keyboard.press('Enter')
  await page.getByText('已完成 1 个').waitFor()
  await page.getByRole('link', { name: '轻图首页' }).focus()
  await tabTo(/^对比 a\.jpg$/)
  await page.keyboard.press('Enter')
  const slider = page.getByRole('slider')
  await slider.focus()
  const before = Number(await slider.getAttribute('aria-valuenow'))
  await page.keyboard.press('ArrowRight')
  expect(Number(await slider.getAttribute('aria-valuenow'))).toBe(before + 1)
  await page.keyboard.press('Escape')
  await slider.waitFor({ state: 'detached' })
})

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from '../fixtures/accessibility.ts'
import { fileInput, openPage, pictures } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'

const cashier = (page: Page) => page.getByRole('dialog', { name: '开通会员' })
const start = async (page: Page, count: number): Promise<void> => {
  await page.locator(fileInput).setInputFiles(await pictures(count))
  await page.getByRole('button', { name: '开始处理' }).click()
}

it('a guest sees what is left today, keeps the results when it is used up, and is offered membership once a start', async () => {
  await using server = await testServer({}, { FREE_IMAGES: '2' })
  await using opened = await openPage(server.url)
  const { page } = opened
  await page.getByText('今日免费次数还剩 2 次').waitFor()
  await start(page, 3)
  await page.getByText('已完成 2 个').waitFor()
  const banner = page.getByRole('status').filter({ hasText: '免费次数已用完，开通会员可继续处理' })
  await banner.waitFor()
  await page.getByText('今日免费次数还剩 0 次').waitFor()
  expect(await violations(page, 'used up')).toEqual([])
  // Some of the start was done: nothing opens by itself.
  expect(await cashier(page).count()).toBe(0)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: '全部下载' }).click()
  expect(await (await downloading).failure()).toBeNull()
  await page.getByRole('button', { name: '重试失败的 1 个' }).click()
  await cashier(page).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: '恭喜您成为幸运用户' }).getByRole('button', { name: '关闭' }).click()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('main').getByRole('button', { name: '开通会员' }).click()
  await cashier(page).waitFor()
  expect(await page.getByText('已完成 2 个').count()).toBe(1)
})

it('what costs nothing says so', async () => {
  await using server = await testServer()
  await using opened = await openPage(`${server.url}/zip`)
  await opened.page.getByText('此功能免费，不计次数').waitFor()
  expect(await opened.page.getByText('免费次数还剩').count()).toBe(0)
})

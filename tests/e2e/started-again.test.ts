import { describe, expect, it } from 'vitest'
import { fileInput, openPage, pictures } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { jobs } from '#server/database/schema'

const shared = sharedServer()
const LONG = { timeout: 30_000 }

describe('a file that is started again', () => {
  const states = async (server: Awaited<ReturnType<typeof testServer>>): Promise<string[]> =>
    (await server.connection.db.select().from(jobs)).map(({ state }) => state).toSorted()

  it('leaves nothing of what it was before on the server, and is one file after a reload', async () => {
    await using server = await testServer()
    await using opened = await openPage(server.url)
    const { page, complaints } = opened
    await page.locator(fileInput).setInputFiles(await pictures(1))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 1 个').waitFor()
    await page.getByRole('button', { name: '重试 图0.jpg' }).click()
    await expect.poll(() => states(server), LONG).toEqual(['done', 'expired'])
    await page.reload()
    await page.getByText('已完成 1 个').waitFor()
    expect(await page.locator('li b[title]').count()).toBe(1)
    await page.getByRole('button', { name: '清空' }).click()
    await expect.poll(() => states(server), LONG).toEqual(['expired', 'expired'])
    expect(complaints).toEqual([])
  })

  it('is wholly gone when it is taken away before anything came of it', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage(server.url)
    const { page } = opened
    await page.locator(fileInput).setInputFiles(await pictures(3, 1400))
    const start = page.getByRole('button', { name: '开始处理' })
    await start.click()
    await page.getByText('处理中…').first().waitFor()
    await page.getByRole('button', { name: '全部取消' }).click()
    await page.getByText('已取消').nth(2).waitFor()
    // What was called off is started again by the same button.
    await start.click()
    await page.getByText('处理中…').first().waitFor()
    await page.getByRole('button', { name: '清空' }).click()
    await expect.poll(() => states(server), LONG).toEqual(Array.from({ length: 6 }, () => 'expired'))
    const held = async () => (await server.connection.db.select().from(jobs)).filter(({ isCleared }) => !isCleared).length
    await expect.poll(held, LONG).toBe(0)
  })

  it('is so with its new settings, and the page says that it counts', async () => {
    await using opened = await openPage(shared().url)
    const { page } = opened
    await page.locator(fileInput).setInputFiles(await pictures(2))
    const start = page.getByRole('button', { name: '开始处理' })
    await start.click()
    await page.getByText('已完成 2 个').waitFor()
    expect(await start.getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('目标大小', { exact: true }).fill('21')
    await page.getByText('设置已更改，2 个可按新设置重新处理，另计次数').waitFor()
    await start.click()
    await expect.poll(async () => (await page.getByRole('listitem').filter({ hasText: '→ 2' }).count()) === 2, LONG).toBe(true)
    await page.getByText('设置已更改').waitFor({ state: 'detached' })
  })
})

it('who leaves while files are on their way up is asked, and not when they are with the server', async () => {
  await using opened = await openPage(shared().url)
  const { page } = opened
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  // Storage that does not answer holds a file where it is.
  await page.route(/\/20230612test\//, () => {})
  await page.locator(fileInput).setInputFiles(await pictures(1))
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('上传中…').waitFor()
  await page.evaluate(() => location.reload())
  await expect.poll(() => asked, LONG).toEqual(['beforeunload'])
  await page.unrouteAll()
  await page.getByRole('button', { name: '全部取消' }).click()
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('已完成 1 个').waitFor()
  await page.reload()
  await page.getByText('已完成 1 个').waitFor()
  expect(asked).toEqual(['beforeunload'])
})

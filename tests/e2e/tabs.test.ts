import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fileInput, openPage, pictures, type TestPage } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'

/** The streams a browser's tabs open from now on, by tab, each with its address. */
function streamsOf({ page }: TestPage): { readonly tab: Page; readonly url: URL }[] {
  const streams: { tab: Page; url: URL }[] = []
  page.context().on('request', (request) => {
    if (request.resourceType() === 'eventsource') streams.push({ tab: request.frame().page(), url: new URL(request.url()) })
  })
  return streams
}

async function start(page: Page, count: number): Promise<void> {
  await page.locator(fileInput).setInputFiles(await pictures(count))
  await page.getByRole('button', { name: '开始处理' }).click()
}

describe('two tabs of a browser', () => {
  it('share one stream, and when the tab that holds it closes in mid-batch the other goes on where it stood', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage('about:blank')
    const { page } = opened
    const streams = streamsOf(opened)
    await page.goto(server.url)
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await expect.poll(() => streams.length).toBe(1)
    const other = await page.context().newPage()
    await other.goto(server.url)
    await start(other, 8)
    await other.getByText(/已完成 [1-4] 个/).waitFor()
    expect(streams.map(({ tab }) => tab)).toEqual([page])
    await page.close()
    await other.getByText('已完成 8 个').waitFor()
    expect(streams.slice(1).map(({ tab }) => tab)).toEqual([other])
    expect(Number(streams[1]?.url.searchParams.get('after'))).toBeGreaterThan(0)
  })

  it('go on when the one that holds the stream is suspended', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage('about:blank')
    const { page } = opened
    const streams = streamsOf(opened)
    await page.goto(server.url)
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await expect.poll(() => streams.length).toBe(1)
    const other = await page.context().newPage()
    await other.goto(server.url)
    await other.getByRole('button', { name: '选择图片' }).waitFor()
    const session = await page.context().newCDPSession(page)
    await session.send('Debugger.enable')
    const paused = new Promise((resolve) => session.once('Debugger.paused', resolve))
    // Never answered: the tab stands still from here on, and keeps its lock as a suspended one does.
    void session.send('Runtime.evaluate', { expression: 'debugger' }).catch(() => {})
    await paused
    await start(other, 2)
    await other.getByText('排队中').first().waitFor()
    await other.evaluate(() => {
      const now = performance.now.bind(performance)
      performance.now = () => now() + 60_000
    })
    await other.getByText('已完成 2 个').waitFor()
    expect(streams.map(({ tab }) => tab)).toEqual([page, other])
  })

  it('both follow when the browser becomes another visitor in one of them', async () => {
    await using server = await testServer()
    await using opened = await openPage(server.url)
    const { page } = opened
    await start(page, 1)
    await page.getByText('已完成 1 个').waitFor()
    const id = (): Promise<string> => page.evaluate(() => String(JSON.parse(localStorage.getItem('user') ?? '{}').loginID)) // the page's own JSON
    const before = await id()
    const streams = streamsOf(opened)
    await page.context().clearCookies()
    const other = await page.context().newPage()
    await other.goto(server.url)
    await expect.poll(id).not.toBe(before)
    await expect.poll(() => streams.length).toBe(1)
    await start(page, 2)
    await page.getByText('已完成 2 个').waitFor()
    // The first one's result is the former visitor's, whom this browser can't be any more.
    await page.getByText('登录状态已变化，请重试。').waitFor()
    await start(other, 2)
    await other.getByText('已完成 2 个').waitFor()
    expect(streams).toHaveLength(1)
  })
})

import { lt, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { fileInput, openPage, pictures } from '../fixtures/browser.ts'
import { queue } from '../fixtures/server-queue.ts'
import { testServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { jobs } from '#server/database/schema'
import { MAX_INPUTS } from '#shared/api/jobs'

const shared = sharedServer()

describe('a batch', () => {
  it('is found again after a reload in its middle', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage(server.url)
    const { page, complaints } = opened
    await page.locator(fileInput).setInputFiles(await pictures(8))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText(/已完成 [1-4] 个/).waitFor()
    await page.reload()
    await page.getByText('已完成 8 个').waitFor()
    const names = await page.locator('li b[title]').allTextContents()
    expect(names.toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `图${n}.jpg`))
    expect(complaints).toEqual([])
  })

  it('waits while the network is away and goes on by itself', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage(server.url)
    const { page } = opened
    await page.locator(fileInput).setInputFiles(await pictures(6))
    // The uploader itself is loaded at the first upload: here before the cut.
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText(/已完成 1 个/).waitFor()
    await page.context().setOffline(true)
    await page.getByText('网络已断开，恢复后自动继续').waitFor()
    await page.locator(fileInput).setInputFiles((await pictures(8)).slice(6))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('网络已断开，恢复后继续').first().waitFor()
    await page.context().setOffline(false)
    await page.getByText('已完成 8 个').waitFor({ timeout: 60_000 })
    expect(await page.getByText('网络已断开').count()).toBe(0)
  })

  it('goes on while another page is shown, and is as it was left', async () => {
    await using opened = await openPage(shared().url)
    const { page, complaints } = opened
    await page.locator(fileInput).setInputFiles(await pictures(6))
    await page.getByLabel('目标大小', { exact: true }).fill('44')
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByRole('link', { name: /图片压缩到指定MB/ }).click()
    await page.getByRole('heading', { level: 1, name: '图片压缩到指定MB' }).waitFor()
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await page.getByRole('link', { name: /图片压缩到指定KB/ }).click()
    await page.getByText('已完成 6 个').waitFor()
    expect(await page.getByRole('textbox', { name: '目标大小' }).inputValue()).toBe('44')
    expect(complaints).toEqual([])
  })

  it('belongs to the tab it was started in', async () => {
    await using opened = await openPage(shared().url)
    const { page } = opened
    const other = await page.context().newPage()
    await other.goto(shared().url)
    await page.locator(fileInput).setInputFiles(await pictures(3))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 3 个').waitFor()
    expect(await other.getByText('还没有文件').count()).toBe(1)
    await page.close()
    await other.reload()
    await other.getByText('已完成 3 个').waitFor()
  })

  it('that asked too often waits as long as it is told, and goes on', async () => {
    await using opened = await openPage(shared().url)
    const { page } = opened
    const asked = { sts: 0, jobs: 0 }
    const busy = { status: 429, json: { code: 'rate.limited', data: { seconds: 1 }, ref: 'x' } }
    await page.route('**/api/sts', (route) => (asked.sts++ === 0 ? route.fulfill(busy) : route.continue()))
    await page.route('**/api/jobs', (route) =>
      route.request().method() === 'POST' && asked.jobs++ === 0 ? route.fulfill(busy) : route.continue(),
    )
    await page.locator(fileInput).setInputFiles(await pictures(2))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 2 个').waitFor()
    expect(asked.sts).toBeGreaterThan(1)
    // One call for both, or two where the second upload took its time.
    expect([2, 3]).toContain(asked.jobs)
  })

  it('that finds the queue full says so, waits for room and goes on, its files uploaded once', async () => {
    await using server = await testServer({}, { QUEUE_LIMIT: String(MAX_INPUTS) })
    const { db } = server.connection
    await queue(db, 'a', MAX_INPUTS + 6)
    // Somebody has all at work that he may have, so that his others wait as long as the test likes.
    const atWork = { state: 'running', lease: 'none', leaseUntil: sql`now() + interval '1 hour'` } as const
    await db.update(jobs).set(atWork).where(lt(jobs.ordinal, 6))
    await using opened = await openPage(server.url)
    const { page } = opened
    const calls: string[] = []
    page.on('response', (response) => {
      const { method, path } = { method: response.request().method(), path: new URL(response.url()).pathname }
      if (method === 'POST' && path === '/api/jobs') calls.push(String(response.status()))
      if (method === 'PUT') calls.push('upload')
    })
    await page.locator(fileInput).setInputFiles(await pictures(2))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('当前使用人数较多，有空位后自动提交').nth(1).waitFor()
    await db.delete(jobs)
    await page.getByText('已完成 2 个').waitFor()
    expect(calls.slice(0, 3)).toEqual(['upload', 'upload', '429'])
    expect(new Set(calls.slice(3, -1))).toEqual(new Set(calls.slice(3, -1).map(() => '429')))
    expect(calls.at(-1)).toBe('200')
  })

  it('cancelled stops at once, and its files go when it is cleared', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage(server.url)
    const { page } = opened
    await page.locator(fileInput).setInputFiles(await pictures(6, 1400))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('处理中…').first().waitFor()
    await page.getByRole('button', { name: '全部取消' }).click()
    await page.getByText('已取消').nth(3).waitFor()
    await page.getByRole('button', { name: '清空' }).click()
    await page.getByText('还没有文件').waitFor()
    await page.reload()
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    expect(await page.locator('li b[title]').count()).toBe(0)
  })

  it('cleared in its middle asks for one thing a job, its removal', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage(server.url)
    const { page } = opened
    await page.locator(fileInput).setInputFiles(await pictures(3, 1400))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('处理中…').first().waitFor()
    await page.getByText('排队中').nth(1).waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/jobs/')) asked.push(`${request.method()} ${pathname.replace(/\w{20,}/, 'id')}`)
    })
    await page.getByRole('button', { name: '清空' }).click()
    await page.getByText('还没有文件').waitFor()
    await expect.poll(() => asked).toEqual(['DELETE /api/jobs/id', 'DELETE /api/jobs/id', 'DELETE /api/jobs/id'])
  })
})

describe('a comparison', () => {
  it('ends with the result it shows, and does not come back by itself with the next one', async () => {
    await using opened = await openPage(shared().url)
    const { page } = opened
    await page.locator(fileInput).setInputFiles(await pictures(1))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 1 个').waitFor()
    const address = await page.getByRole('link', { name: '下载 图0.jpg' }).getAttribute('href')
    const jobId = address?.split('/')[2] ?? ''
    await page.getByRole('button', { name: '对比 图0.jpg' }).click()
    await page.getByRole('slider').waitFor()
    await page.evaluate(async (path) => {
      const [, token = ''] = /XSRF-TOKEN=([^;]+)/.exec(document.cookie) ?? []
      await fetch(path, { method: 'DELETE', headers: { 'X-XSRF-TOKEN': decodeURIComponent(token) } })
    }, `/api/jobs/${jobId}`)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '重试 图0.jpg' }).click()
    await page.getByText('已完成 1 个').waitFor()
    await page.getByRole('button', { name: '对比 图0.jpg' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('settings out of range', () => {
  it('are marked in words and start nothing', async () => {
    await using opened = await openPage(shared().url)
    const { page } = opened
    await page.locator(fileInput).setInputFiles(await pictures(1))
    for (const value of ['', 'abc', '0', '-5']) {
      await page.getByLabel('目标大小', { exact: true }).fill(value)
      await page.getByRole('button', { name: '开始处理' }).click()
      await page.getByRole('alert').waitFor()
      expect(await page.getByText('待处理').count()).toBe(1)
    }
    await page.getByRole('button', { name: '50 KB' }).click()
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 1 个').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

describe('a file with settings of its own', () => {
  it('is held to them, the others to the page’s', async () => {
    await using opened = await openPage(shared().url)
    const { page } = opened
    await page.locator(fileInput).setInputFiles(await pictures(2))
    await page.getByRole('button', { name: '单独设置 图1.jpg' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: '目标大小' }).fill('x')
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('textbox', { name: '目标大小' }).fill('20')
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('已完成 2 个').waitFor()
    const [own, common] = await Promise.all(
      ['图1.jpg', '图0.jpg'].map((name) => page.getByRole('listitem').filter({ hasText: name }).innerText()),
    )
    const kilobytes = (text: string | undefined): number => Number(/→ ([\d.]+) KB/.exec(text ?? '')?.[1])
    expect(kilobytes(own)).toBeLessThanOrEqual(20)
    expect(kilobytes(common)).toBeGreaterThan(100)
  })
})

describe('a visit', () => {
  it('by an advertisement or the partner is kept with the session under its specified names', async () => {
    await using server = await testServer({}, { PARTNER_MARKER: 'partner7' })
    await using opened = await openPage(`${server.url}/?bd_vid=42&qhclickid=abc`)
    const { page } = opened
    const stored = () => page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}') as Record<string, unknown>) // the page's own JSON
    await page.waitForFunction(
      () => localStorage.getItem('user')?.includes('"loginID":"') === true && !localStorage.getItem('user')?.includes('"loginID":""'),
    )
    const address = `${server.url}/?bd_vid=42&qhclickid=abc`
    expect(await stored()).toMatchObject({ bdUrl: address, url360: address, url360dep: 1, url360adv: 1, url360down: 1, loginVIP: false })
    const { loginID, loginPhone } = await stored()
    expect([String(loginID).length, String(loginPhone).length >= 20]).toEqual([26, true])
    await page.goto(`${server.url}/?from=partner7`)
    await page.waitForFunction(() => localStorage.getItem('user')?.includes('"url360":"partner7"') === true)
    expect(await stored()).toMatchObject({ loginID, url360: 'partner7' })
    const storage = await page.evaluate(() => JSON.stringify({ ...localStorage }))
    expect(storage).not.toMatch(/Secret|Token/)
  })
})

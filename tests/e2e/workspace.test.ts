import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fileInput, openPage } from '../fixtures/browser.ts'
import { testFolder } from '../fixtures/engine.ts'
import { jobNews, tellJobs } from '../fixtures/job-news.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const shared = sharedServer()

/** What a screen reader says after a control's name. */
const description = (control: Locator): Promise<string> =>
  control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => element.ownerDocument.querySelector(`[id="${id}"]`)?.textContent ?? '')
      .join(' '),
  )

describe('the settings', () => {
  it('say under a field what its label leaves open, and read it out with the field', async () => {
    await using opened = await openPage(shared().url)
    const { page } = opened
    const keepPixels = page.getByRole('switch', { name: '保持像素尺寸', exact: true })
    expect(await description(keepPixels)).toContain('自动缩小宽高')
    expect(await description(page.getByRole('textbox', { name: '最小大小', exact: true }))).toMatch(/范围.*1–204800KB/)
    // The label's press area lies over the hint.
    await page.getByText('关闭时，目标过小会自动缩小宽高').click({ force: true })
    expect(await keepPixels.isChecked()).toBe(true)
  })
})

const WORKSPACE = /assets\/workspace-[^/]*\.js$/

/** Has the page sum up how far its parts move by themselves, from the next load on. */
const countShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Object.assign(window, { shift: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) Reflect.set(window, 'shift', Reflect.get(window, 'shift') + Reflect.get(entry, 'value'))
    }).observe({ type: 'layout-shift', buffered: true })
  })
const shiftOf = (page: Page): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'shift'))

describe('a page', () => {
  it.each([1440, 1024, 390])('at %i px shows its frame before its workspace, and nothing moves when that comes', async (width) => {
    await using opened = await openPage('about:blank', { viewport: { width, height: 900 } })
    const { page, complaints } = opened
    let release = (): void => {}
    const asked = new Promise<void>((resolve) => {
      void page.route(WORKSPACE, async (route) => {
        resolve()
        await new Promise<void>((go) => (release = go))
        await route.continue()
      })
    })
    await countShifts(page)
    await page.goto(`${shared().url}/png`, { waitUntil: 'commit' })
    await asked
    await page.getByRole('heading', { level: 1, name: 'PNG压缩' }).waitFor()
    await page.getByRole('link', { name: '轻图首页' }).waitFor()
    expect(await page.getByRole('button', { name: '选择图片' }).count()).toBe(0)
    const before = await page.getByRole('heading', { level: 1 }).boundingBox()
    release()
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await page.getByText('为什么选择我们').waitFor()
    await page.waitForTimeout(300)
    expect(await page.getByRole('heading', { level: 1 }).boundingBox()).toEqual(before)
    expect(await shiftOf(page)).toBe(0)
    expect(complaints).toEqual([])
  })

  it('has its workspace fetched with the shell, once, and no other when another page is opened', async () => {
    await using opened = await openPage('about:blank')
    const { page } = opened
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(shared().url)
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    const isWorkspace = (path: string): boolean => WORKSPACE.test(path)
    expect(asked.filter(isWorkspace)).toHaveLength(1)
    expect(await page.locator(`link[rel=modulepreload][href="${asked.find(isWorkspace)}"]`).count()).toBe(1)
    // What files need comes when the browser has time.
    await page.waitForLoadState('networkidle')
    const { length } = asked.filter((path) => path.startsWith('/assets/'))
    await page.getByRole('link', { name: 'PNG压缩' }).click()
    await page.getByRole('heading', { level: 1, name: 'PNG压缩' }).waitFor()
    expect(asked.filter((path) => path.startsWith('/assets/'))).toHaveLength(length)
  })

  it('that could not be loaded says so, and is there after a reload', async () => {
    await using opened = await openPage('about:blank')
    const { page } = opened
    await page.route(WORKSPACE, (route) => route.abort())
    await page.goto(shared().url)
    await page.getByRole('heading', { name: '页面没有打开' }).waitFor()
    await page.getByRole('link', { name: '轻图首页' }).waitFor()
    await page.unroute(WORKSPACE)
    await page.getByRole('button', { name: '刷新页面' }).click()
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

describe('a job in one long pass', () => {
  it.each(['no-preference', 'reduce'] as const)('shows that it goes on, moving only for those who like it: %s', async (reducedMotion) => {
    await using opened = await openPage('about:blank', { reducedMotion })
    const { page } = opened
    // Its progress is told once and then no more, as in a long pass.
    await tellJobs(page, [jobNews('慢.png', 'running', { progress: 0.3 })])
    await page.goto(shared().url)
    await page.getByText('处理中…', { exact: true }).waitFor()
    await page.getByText(/^处理中… \d+ 秒$/).waitFor()
    const sheen = page.locator('[data-sheen] > div')
    const animation = await sheen.evaluate((element) => getComputedStyle(element, '::after').animationName)
    expect(animation !== 'none').toBe(reducedMotion === 'no-preference')
    // The bar itself stays where the job said it is.
    const bar = page.getByRole('progressbar')
    expect([await bar.getAttribute('value'), await bar.getAttribute('aria-label')]).toEqual(['0.3', '慢.png 处理中…'])
  })
})

it('says which step a job is at, and that no credits are left while results stay', async () => {
  await using server = await testServer({}, { FREE_IMAGES: '0' })
  await using opened = await openPage('about:blank')
  const { page } = opened
  await tellJobs(page, [
    jobNews('多页.tif', 'running', { progress: 0.3, step: '第 3/12 页' }),
    jobNews('没做.jpg', 'failed', { error: { code: 'quota.used-up', data: {} } }),
  ])
  await page.goto(server.url)
  await page.getByText('第 3/12 页').first().waitFor()
  expect(await page.getByRole('status').allTextContents()).toContain('免费次数已用完，开通会员可继续处理')
})

/** Where the items in sight stand, by their place in the list. */
const places = (page: Page) =>
  page.getByRole('listitem').evaluateAll((items) =>
    items
      .filter((item) => item.hasAttribute('aria-posinset'))
      .map((item) => {
        const { x, y, width } = item.getBoundingClientRect()
        return { place: Number(item.getAttribute('aria-posinset')), of: item.getAttribute('aria-setsize'), x, y, width }
      })
      .toSorted((left, right) => left.place - right.place),
  )

describe('large pictures', () => {
  it.each([1440, 390])('at %i px: chosen by keyboard, in reading order, only those in sight, and again after a reload', async (width) => {
    await using opened = await openPage(shared().url, { viewport: { width, height: 900 } })
    const { page, complaints } = opened
    const [wide, tall] = await Promise.all([photo(400, 100).jpeg().toBuffer(), photo(100, 400).jpeg().toBuffer()])
    const named = (n: number) => ({ name: `图${n}.jpg`, mimeType: 'image/jpeg', buffer: n % 2 ? tall : wide })
    await page.locator(fileInput).setInputFiles(Array.from({ length: 200 }, (_, n) => named(n)))
    await page.getByRole('button', { name: '列表' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const pressed = () =>
      page.getByRole('group', { name: '文件显示方式' }).getByRole('button', { pressed: true }).getAttribute('aria-label')
    expect(await pressed()).toBe('大图')
    const cards = await places(page)
    expect(cards.length).toBeGreaterThan(4)
    expect(cards.length).toBeLessThan(60)
    expect(cards.map(({ place }) => place)).toEqual(cards.map((_, n) => n + 1))
    expect(new Set(cards.map(({ of }) => of))).toEqual(new Set(['200']))
    const columns = cards.filter(({ y }) => y === cards[0]?.y).length
    expect(columns).toBe(width === 390 ? 2 : 4)
    for (const [n, { x, y }] of cards.entries()) {
      const [first, above] = [cards[n % columns], cards[n - columns]]
      expect(Math.abs(x - (first?.x ?? 0))).toBeLessThan(1)
      if (above) expect(y - above.y).toBeGreaterThan(200)
    }
    // The whole picture, not a square of it, and no higher than its place.
    for (const [name, ratio] of [
      ['图0.jpg', 4],
      ['图1.jpg', 1 / 4],
    ] as const) {
      const picture = page.getByRole('listitem').filter({ hasText: name }).locator('img')
      await picture.waitFor()
      const box = (await picture.boundingBox()) ?? { width: 0, height: 1 }
      expect(box.width / box.height).toBeCloseTo(ratio, 1)
      expect(box.height).toBeLessThanOrEqual(128)
    }
    await page
      .getByRole('listitem')
      .nth(cards.length - 1)
      .scrollIntoViewIfNeeded()
    await page.getByText(`图${cards.length + 2}.jpg`).waitFor()
    await page.reload()
    await page.locator(fileInput).setInputFiles([named(0)])
    expect(await pressed()).toBe('大图')
    expect(complaints).toEqual([])
  })

  it('find other columns in another width, and rows again where rows are chosen', async () => {
    await using opened = await openPage(shared().url)
    const { page } = opened
    const buffer = await photo(40, 40).jpeg().toBuffer()
    await page
      .locator(fileInput)
      .setInputFiles(Array.from({ length: 9 }, (_, n) => ({ name: `图${n}.jpg`, mimeType: 'image/jpeg', buffer })))
    const columns = async () => new Set((await places(page)).map(({ x }) => Math.round(x))).size
    await expect.poll(columns).toBe(1)
    await page.getByRole('button', { name: '大图' }).click()
    expect(await columns()).toBe(4)
    await page.setViewportSize({ width: 780, height: 900 })
    await page.waitForFunction(
      () => new Set([...document.querySelectorAll('[aria-posinset]')].map((one) => Math.round(one.getBoundingClientRect().x))).size === 3,
    )
    await page.getByRole('button', { name: '列表' }).click()
    expect(await columns()).toBe(1)
    expect((await places(page)).map(({ place }) => place)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

it('files may be dropped anywhere on the page, and are announced before they are', async () => {
  await using folder = await testFolder()
  await using opened = await openPage(shared().url)
  const { page } = opened
  await page.getByRole('button', { name: '选择图片' }).waitFor()
  const path = join(folder.path, '拖.jpg')
  await photo(60, 40).jpeg().toFile(path)
  const session = await page.context().newCDPSession(page)
  // Over the reasons below the tool, far from the zone.
  const drag = (type: 'dragEnter' | 'dragOver' | 'dragCancel' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 700, y: 880, data: { items: [], files: [path], dragOperationsMask: 1 } })
  const announced = page.getByText('松开鼠标，添加图片')
  // A page that hasn't begun to listen hears nothing of files that came before; they leave then, and come again.
  const isAnnounced = async (): Promise<boolean> => {
    await drag('dragEnter')
    await drag('dragOver')
    const isSeen = await announced.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    )
    if (!isSeen) await drag('dragCancel')
    return isSeen
  }
  await expect.poll(isAnnounced, { timeout: 100_000 }).toBe(true)
  await drag('drop')
  await page.getByText('拖.jpg').waitFor()
  expect(await announced.count()).toBe(0)
})

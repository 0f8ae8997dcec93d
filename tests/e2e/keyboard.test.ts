import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, pictures } from '../fixtures/browser.ts'
import { testServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { pages } from '#shared/tools/index'

const shared = sharedServer()

/** What has the focus, by its name; with a mark where nobody would see it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    if (!(element instanceof HTMLElement) || element === document.body) return ''
    const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? (element.labels?.[0]?.innerText ?? '') : ''
    const name = element.getAttribute('aria-label') ?? (labels || element.innerText)
    const isOutlined = [element, element.parentElement].some((one) => one && getComputedStyle(one).outlineStyle !== 'none')
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + Math.min(width, innerWidth) / 2, top + height / 2]
    const over = document.elementFromPoint(x, Math.min(Math.max(y, 0), innerHeight - 1))
    const isCovered = over === null || !(element.contains(over) || over.contains(element))
    return `${name.trim().split('\n')[0] ?? ''}${isOutlined && !isCovered ? '' : ' (unseen)'}`
  })

/** The controls a page shows, whichever way they are reached. */
const controls = (page: Page): Promise<number> =>
  page.locator('a[href], button:enabled, input, select, summary, [tabindex="0"]').filter({ visible: true }).count()

async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab')
    const text = await focused(page)
    if (typeof name === 'string' ? text === name : name.test(text)) return
    passed.push(text)
  }
  throw new Error(`no way to ${name} among ${passed.join(', ')}`)
}

async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press(key)
}

/** Picks files in the system's dialog. */
async function pick(page: Page, count: number, sidePx?: number): Promise<void> {
  // Heard from the start: the browser is told to hand the dialog over, and that takes a moment.
  page.on('filechooser', () => {})
  await tabTo(page, '选择图片')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  await chooser.setFiles(await pictures(count, sidePx))
}

const becomes = async (page: Page, name: string): Promise<void> => {
  await expect.poll(() => focused(page), { timeout: 30_000 }).toBe(name)
}

describe('by keyboard alone', () => {
  it('pictures are added, set, compressed, compared, downloaded and removed, and the focus is never lost', async () => {
    await using opened = await openPage(shared().url)
    const { page, complaints } = opened
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await pick(page, 3)
    await becomes(page, '文件列表，共 3 个')

    await press(page, '50 KB')
    await page.keyboard.press('Enter')
    await press(page, '单独设置 图1.jpg')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await tabTo(page, '目标大小')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('20')
    await press(page, '确定')
    await becomes(page, '单独设置 图1.jpg')
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await becomes(page, '单独设置 图1.jpg')

    await press(page, '开始处理')
    await page.getByText('已完成 3 个').waitFor()
    await becomes(page, '开始处理')

    await press(page, '对比 图0.jpg')
    const slider = page.getByRole('slider')
    await slider.waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('第 2 / 3 张：图1.jpg').waitFor()
    await page.keyboard.press('ArrowLeft')
    await dialog.getByText('第 1 / 3 张：图0.jpg').waitFor()
    await tabTo(page, '对比分割线')
    const before = Number(await slider.getAttribute('aria-valuenow'))
    await page.keyboard.press('ArrowRight')
    expect(Number(await slider.getAttribute('aria-valuenow'))).toBe(before + 1)
    await page.keyboard.press('Escape')
    await becomes(page, '对比 图0.jpg')

    await tabTo(page, '下载 图0.jpg')
    await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    await press(page, '重试 图0.jpg')
    await becomes(page, '图0.jpg')
    await page.getByText('已完成 3 个').waitFor()
    await press(page, '移除 图1.jpg')
    await becomes(page, '图2.jpg')
    await press(page, '移除 图2.jpg')
    await becomes(page, '图0.jpg')
    await tabTo(page, '全部下载')
    await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    await becomes(page, '全部下载')
    await press(page, '清空')
    await becomes(page, '选择图片')
    expect(complaints).toEqual([])
  })

  it('every control of a page with finished files is reached, and seen when it is', async () => {
    await using opened = await openPage(shared().url)
    const { page } = opened
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await pick(page, 3)
    await press(page, '开始处理')
    await page.getByText('已完成 3 个').waitFor()
    await tabTo(page, '跳到主要内容')
    const stops: string[] = []
    do {
      stops.push(await focused(page))
      await page.keyboard.press('Tab')
    } while (!/^(跳到主要内容)?$/.test(await focused(page)))
    expect(stops.filter((name) => name.includes('(unseen)'))).toEqual([])
    expect(stops.length).toBe(await controls(page))
    const [{ page: first } = { page: { label: '' } }] = pages
    for (const name of ['轻图首页', '格式转换', first.label, '添加图片', '对比 图2.jpg', '50 KB', '保持像素尺寸', '清空'])
      expect(stops).toContain(name)
  })

  it('settings and menus answer, and leave files as they are', async () => {
    await using opened = await openPage(shared().url)
    const { page } = opened
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    await pick(page, 1)
    const flag = page.getByRole('switch', { name: /保持像素尺寸/ })
    const wasChecked = await flag.isChecked()
    await press(page, '保持像素尺寸', 'Space')
    expect(await flag.isChecked()).toBe(!wasChecked)
    const choice = page.getByRole('combobox').first()
    const chosen = await choice.inputValue()
    await tabTo(page, (await choice.locator('..').innerText()).split('\n')[0] ?? '')
    await page.keyboard.press('ArrowDown')
    expect(await choice.inputValue()).not.toBe(chosen)
    await press(page, '图片压缩到指定MB')
    await page.getByRole('heading', { level: 1, name: '图片压缩到指定MB' }).waitFor()
    await becomes(page, '图片压缩到指定MB')
    await press(page, 'PDF转换')
    await page.getByRole('heading', { level: 1, name: 'PDF转Word', exact: true }).waitFor()
    await press(page, '图片压缩')
    await page.getByText('图0.jpg').waitFor()
    await press(page, '跳到主要内容')
    await page.keyboard.press('Tab')
    await becomes(page, '添加图片')
  })

  it('cancelling keeps the place', async () => {
    await using server = await testServer({}, { WORKERS: '1' })
    await using opened = await openPage(server.url)
    const { page } = opened
    await page.getByRole('button', { name: '选择图片' }).waitFor()
    // Enough to do for many times as long as the way by Tab takes.
    await pick(page, 8, 2400)
    await press(page, '开始处理')
    await press(page, '取消 图7.jpg')
    await becomes(page, '图7.jpg')
    await press(page, '全部取消')
    await becomes(page, '开始处理')
    expect(await page.getByText('已取消').count()).toBeGreaterThan(0)
  })
})

import { readFile } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, it } from 'vitest'
import { fileInput, openPage, pictures } from '../fixtures/browser.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { unzip } from '../fixtures/unzip.ts'
import { pages } from '#shared/tools/index'

const server = sharedServer()

it('says by keyboard how results are called, sees an example, and gets them under these names', async () => {
  await using opened = await openPage(`${server().url}/convert/imgtopng`)
  const { page, complaints } = opened
  await page.locator(fileInput).setInputFiles(await pictures(2, 200))
  const line = page.locator('summary').filter({ hasText: '文件名' })
  await line.getByText('与原文件相同').waitFor()
  await line.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: '命名方式' }).waitFor()
  await page.keyboard.press('Tab')
  for (let press = 0; press < 2; press++) await page.keyboard.press('ArrowDown')
  await line.getByText('例：001.png').waitFor()
  await page.keyboard.press('ArrowDown')
  const custom = page.getByRole('textbox', { name: '文件名' })
  await page.keyboard.press('Tab')
  expect(await custom.evaluate((input) => input === document.activeElement)).toBe(true)
  await custom.fill('{name}/{nn}')
  await page.getByText('文件名不能含有').waitFor()
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByRole('alert').getByText('文件名不能含有').waitFor()
  await custom.fill('{nn}-{name}-{width}')
  await line.getByText('例：01-图0-1920.png').waitFor()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('已完成 2 个').waitFor()
  const link = page.getByRole('link', { name: '下载 图1.jpg' })
  const [single] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(single.suggestedFilename()).toBe('02-图1-200.png')
  const [all] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '全部下载' }).click()])
  expect([...(await unzip(await readFile(await all.path()))).keys()].toSorted()).toEqual(['01-图0-200.png', '02-图1-200.png'])
  await page.reload()
  await line.getByText('01-').waitFor()
  expect(complaints).toEqual([])
})

it('keeps the rule where a crop is applied to all files', async () => {
  await using opened = await openPage(`${server().url}/edit/crop`)
  const { page } = opened
  const line = page.locator('summary').filter({ hasText: '文件名' })
  await line.click()
  await page.getByRole('combobox', { name: '命名方式' }).selectOption('序号 001')
  await page.locator(fileInput).setInputFiles(await pictures(2, 200))
  await page.getByRole('button', { name: '应用到全部' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '开始处理' }).click()
  await page.getByText('已完成 2 个').waitFor()
  const [all] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '全部下载' }).click()])
  expect([...(await unzip(await readFile(await all.path()))).keys()].toSorted()).toEqual(['001.jpg', '002.jpg'])
})

it('on a phone every tool that gives each file a result says so in its settings, and nothing is wider than the screen', async () => {
  await using opened = await openPage(server().url, { viewport: { width: 390, height: 844 } })
  const { page } = opened
  const missing: string[] = []
  // How results are called is a tool's matter: its first page stands for the others.
  const ofEachTool = pages.filter(({ tool }, n) => pages.findIndex((other) => other.tool === tool) === n)
  for (const { page: one, tool } of ofEachTool) {
    await page.goto(server().url + one.path)
    await page.getByRole('button', { name: /^设置/ }).click()
    const sheet = page.getByRole('dialog', { name: '设置' })
    await sheet.getByRole('button', { name: '完成' }).waitFor()
    const line = sheet.locator('summary').filter({ hasText: '文件名' })
    if ((await line.count()) !== (tool.takes === 'each' ? 1 : 0)) missing.push(one.path)
    if (tool.takes !== 'each') continue
    await line.click()
    await sheet.getByRole('combobox', { name: '命名方式' }).selectOption('自定义')
    await sheet.getByRole('textbox', { name: '文件名' }).fill('长'.repeat(60))
    if (await sheet.evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth)) missing.push(`${one.path} is too wide`)
  }
  expect(missing).toEqual([])
  expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations.map(({ id }) => id)).toEqual([])
})

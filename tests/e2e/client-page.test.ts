import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileInput } from '../fixtures/browser.ts'
import { openClientPage, type ClientPage } from '../fixtures/client-page.ts'
import { photo } from '../fixtures/pictures.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { AppError } from '#shared/errors/app-error'

/** Two cores, and other tests beside this one. */
const PATIENTLY = { timeout: 60_000 }

/** Photos among the sources; their paths. */
const photosOf = ({ local }: ClientPage, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) =>
      local.source(`照片${n}.jpg`, await photo(900, 700, 3, n).jpeg({ quality: 95 }).toBuffer()),
    ),
  )

const namesAsked = ({ main }: ClientPage): string[] => main.asked.map(({ name }) => name)

describe('the page in the client', () => {
  const server = sharedServer()

  it('works on picked files where they lie: results beside them, shown in their folder, no word of uploads', async () => {
    await using opened = await openClientPage(server())
    const { page, local, main, complaints } = opened
    await page.locator(fileInput).setInputFiles(await photosOf(opened, 3))
    await page.getByText('共 3 个文件').waitFor()
    // All in one call.
    const granted = () => main.asked.filter(({ name }) => name === 'files:grant').map(({ request }) => request)
    await expect.poll(granted, PATIENTLY).toEqual([[{ file: '照片0.jpg' }, { file: '照片1.jpg' }, { file: '照片2.jpg' }]])
    await page.getByLabel('目标大小', { exact: true }).fill('50')
    await page.keyboard.press('Control+Enter')
    await page.getByText('全部完成：成功 3 个，已保存到原图旁的“轻图”文件夹').waitFor()
    const folder = join(local.sources, '轻图')
    expect((await readdir(folder)).toSorted()).toEqual(['照片0.jpg', '照片1.jpg', '照片2.jpg'])
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).size).toBeLessThanOrEqual(50 * 1024)
    await page.getByRole('button', { name: '打开 照片1.jpg' }).click()
    await page.getByRole('button', { name: '打开文件夹 照片1.jpg' }).click()
    await page.getByRole('button', { name: '打开文件夹', exact: true }).first().click()
    await expect
      .poll(() => namesAsked(opened).filter((name) => name.startsWith('results:')), PATIENTLY)
      .toEqual(['results:open', 'results:show', 'results:show'])
    expect(await page.locator('body').innerText()).not.toMatch(/上传|下载|小时|服务器|云端/)
    // Taken off the list, files stay.
    await page.locator('li b[title="照片0.jpg"]').click({ button: 'right' })
    await page.getByRole('button', { name: '从列表移除（不删除文件）' }).click()
    await page.getByText('共 2 个文件').waitFor()
    expect((await readdir(folder)).length + (await readdir(local.sources)).length).toBe(3 + 4)
    expect([complaints, local.complaints]).toEqual([[], []])
  })

  it('puts files from outside on the page that takes them, and shows its jobs again when it is loaded anew', async () => {
    await using opened = await openClientPage(server())
    const { page, local, main, tell } = opened
    main.arrived = await photosOf(opened, 2)
    await page.reload()
    await page.getByText('共 2 个文件').waitFor()
    await page.locator('li img').nth(1).waitFor()
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('全部完成：成功 2 个').waitFor()
    await page.reload()
    await page.getByText('已完成 2 个').waitFor()
    await page.locator('li img').nth(1).waitFor()
    // Compared with the source, which no browser would still have.
    await page.getByRole('button', { name: '对比 照片0.jpg' }).click()
    await page.getByRole('dialog').getByText('原图', { exact: true }).first().waitFor()
    await expect.poll(() => page.getByText('原图已不在本页').count(), PATIENTLY).toBe(0)
    await page.keyboard.press('Escape')
    const pdf = await local.source('合同.pdf', '%PDF-1.4 no more than its first line')
    await tell('files-arrived', [...(await local.jobs.open([pdf]))])
    await page.getByRole('heading', { level: 1, name: /PDF转Word/ }).waitFor()
    await page.getByText('共 1 个文件').waitFor()
  })

  it('puts files that were not started back on their pages when it crashed and is loaded anew', async () => {
    await using opened = await openClientPage(server())
    const { page, local, main } = opened
    const notes = (): unknown[] => main.asked.filter(({ name }) => name === 'files:note-waiting').map(({ request }) => request)
    const count = (): number => [notes().at(-1) ?? []].flat().length
    await page.locator(fileInput).setInputFiles(await photosOf(opened, 3))
    await page.getByText('共 3 个文件').waitFor()
    await expect.poll(count, PATIENTLY).toBe(3)
    await page.reload()
    await page.getByText('共 3 个文件').waitFor()
    await page.locator('li img').nth(2).waitFor()
    await rm(join(local.sources, '照片1.jpg'))
    await page.reload()
    await page.getByText('共 2 个文件').waitFor()
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('全部完成：成功 2 个').waitFor()
    await expect.poll(count, PATIENTLY).toBe(0)
    const heard = notes().length
    await page.reload()
    await page.getByText('已完成 2 个').waitFor()
    expect(await page.getByText('共 2 个文件').count()).toBe(1)
    // From another page, to the one where they wait.
    const pdf = await local.source('合同.pdf', '%PDF-1.4 no more than its first line')
    const [file] = await local.page.grant([pdf])
    await page.getByRole('button', { name: '清空' }).click()
    await expect.poll(() => page.getByText('共 2 个文件').count(), PATIENTLY).toBe(0)
    // It notes that nothing waits a moment after it has changed; later that would undo what is noted here.
    await expect.poll(() => notes().length, PATIENTLY).toBeGreaterThan(heard)
    local.jobs.noteWaiting([{ key: file?.key ?? '', page: '/pdf/toword' }])
    await page.goto(server().url)
    await page.getByRole('heading', { level: 1, name: /PDF转Word/ }).waitFor()
    await page.getByText('共 1 个文件').waitFor()
  })

  it('does what the menu says, on the page that is shown', async () => {
    await using opened = await openClientPage(server())
    const { page, tell, main, local } = opened
    // It hears keys once it has asked for files from outside.
    await expect.poll(() => namesAsked(opened), PATIENTLY).toContain('files:arrived')
    const [choosing] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Control+o')])
    await choosing.setFiles(await photosOf(opened, 2))
    await page.getByText('共 2 个文件').waitFor()
    await tell('menu-command', 'start')
    await page.getByText('全部完成').waitFor()
    await tell('menu-command', 'clear')
    await page.getByText('还没有文件').waitFor()
    expect(await readdir(join(local.sources, '轻图'))).toHaveLength(2)
    await page.keyboard.press('Control+,')
    const settings = page.getByRole('dialog', { name: '设置' })
    await settings.getByRole('radio', { name: /与原图同一文件夹/ }).click()
    await settings.getByRole('checkbox', { name: /自动检查更新/ }).click()
    // Under a dialog nothing is started.
    await tell('menu-command', 'sign-in')
    await settings.getByRole('button', { name: '选择…' }).click()
    await settings.getByText(local.results).waitFor()
    expect(main.settings).toEqual({ output: { place: 'folder', folder: local.results }, notify: true, updates: true })
    await settings.getByRole('button', { name: '完成' }).click()
    expect(await page.getByLabel('保存到').inputValue()).toBe('folder')
    await tell('menu-command', 'about')
    await page.getByRole('dialog', { name: '关于轻图' }).getByText('1.2.3', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await tell('menu-command', 'sign-in')
    await page.getByRole('dialog', { name: '请输入会员账号ID' }).waitFor()
  })

  it('says at a file why it may not be used, and of a result that it is gone', async () => {
    await using opened = await openClientPage(server())
    const { page, local } = opened
    const [first = '', second = ''] = await photosOf(opened, 2)
    // Not where it was when it was picked.
    const elsewhere = join(dirname(local.sources), '照片0.jpg')
    await rename(first, elsewhere)
    await page.locator(fileInput).setInputFiles([elsewhere, second])
    await page.getByText('找不到该文件，可能已被移动').first().waitFor()
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('全部完成：成功 1 个，失败 1 个').waitFor()
    await rm(join(local.sources, '轻图'), { recursive: true })
    await page.getByRole('button', { name: '打开 照片1.jpg' }).click()
    expect(await page.getByRole('dialog').textContent()).toContain('文件已被移动或删除，请重新处理。')
  })

  it('says what goes on without a network, and that a newer version is there', async () => {
    await using opened = await openClientPage(server())
    const { page, local, main, tell } = opened
    await page.getByText('还没有文件').waitFor()
    await page.evaluate(() => window.dispatchEvent(new Event('offline')))
    await page.getByText('网络已断开，联网后才能处理文件').waitFor()
    local.purse.refusal = new AppError('offline.guest', {})
    await page.locator(fileInput).setInputFiles(await photosOf(opened, 2))
    await page.getByRole('button', { name: '开始处理' }).click()
    await page.getByText('未连接网络。游客处理文件需要联网').first().waitFor()
    await tell('update-changed', { at: 'ready', version: '1.3.0' })
    await page.getByText('新版本 1.3.0 已下载').waitFor()
    await page.getByRole('button', { name: '立即更新' }).click()
    await expect.poll(() => main.asked.at(-1)?.name, PATIENTLY).toBe('updates:install')
  })
})

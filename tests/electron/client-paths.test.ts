import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileInput } from '../fixtures/browser.ts'
import { hasClient, openClient, type Client } from '../fixtures/client.ts'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer } from '../fixtures/server.ts'
import { smallDisk } from '../fixtures/small-disk.ts'

const picture = await photo(900, 700).jpeg({ quality: 97 }).toBuffer()

/** Has the page compress what is on it. */
async function compress({ page }: Client, targetKb: number): Promise<void> {
  await page.getByLabel('目标大小', { exact: true }).fill(String(targetKb))
  await page.getByRole('button', { name: '开始处理' }).click()
}

describe.skipIf(!hasClient || process.platform !== 'linux')('files in a real window', () => {
  test('of a folder are worked on in it, and no result has a device’s name; a link that was picked is its file', async () => {
    await using server = await testServer()
    await using folder = await testFolder()
    const [picked, outside] = [join(folder.path, '照片'), join(folder.path, '别处')]
    for (const path of [picked, outside]) await mkdir(path)
    for (const path of [join(picked, 'a.jpg'), join(picked, 'CON.jpg'), join(outside, 'b.jpg')]) await writeFile(path, picture)
    await symlink(join(outside, 'b.jpg'), join(picked, 'link.jpg'))
    await using client = await openClient({ server: server.url })
    const { page } = client
    await page.locator('input[webkitdirectory]').first().setInputFiles(picked)
    // Chromium itself follows no links in a folder; those that a second start names, `files-grants` tries.
    await page.getByText('共 2 个文件').waitFor()
    await compress(client, 30)
    await page.getByText('全部完成：成功 2 个').waitFor()
    expect((await readdir(join(picked, '轻图'))).toSorted()).toEqual(['_CON.jpg', 'a.jpg'])
    expect(await readdir(outside)).toEqual(['b.jpg'])
    // A link that was picked itself is its file, and the result lies beside that.
    await page.getByRole('button', { name: '清空' }).first().click()
    await page.locator(fileInput).first().setInputFiles(join(picked, 'link.jpg'))
    await page.getByText('共 1 个文件').waitFor()
    await compress(client, 30)
    await page.getByText('全部完成：成功 1 个').waitFor()
    expect((await readdir(outside)).toSorted()).toEqual(['b.jpg', '轻图'])
    for (const path of [join(picked, 'a.jpg'), join(outside, 'b.jpg')]) expect((await readFile(path)).equals(picture)).toBe(true)
  })

  test('on a disk that is full fail with the reason, leave nothing, and are done once there is room', async () => {
    await using folder = await testFolder()
    const disk = join(folder.path, '盘')
    using small = smallDisk(disk, 4)
    if (!small) return console.log('跳过磁盘写满的客户端测试：不能挂载 tmpfs（需要 root）')
    await using server = await testServer()
    await writeFile(join(disk, 'a.jpg'), picture)
    small.fill(20 * 1024)
    await using client = await openClient({ server: server.url })
    const { page } = client
    await page.locator(fileInput).first().setInputFiles(join(disk, 'a.jpg'))
    await page.getByText('共 1 个文件').waitFor()
    await compress(client, 100)
    await page.getByText('磁盘空间不足，请清理磁盘或换一个保存位置后重试').first().waitFor()
    expect((await readdir(disk)).toSorted()).toEqual(['a.jpg', 'filler'])
    small.empty()
    await page.getByRole('button', { name: '重试 a.jpg' }).click()
    await page.getByText('全部完成：成功 1 个').waitFor()
    expect(await readdir(join(disk, '轻图'))).toEqual(['a.jpg'])
    expect((await readFile(join(disk, 'a.jpg'))).equals(picture)).toBe(true)
  })
})

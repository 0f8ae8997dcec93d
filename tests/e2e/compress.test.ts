import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { bilevelPng } from '../fixtures/bad-inputs/bytes.ts'
import { openPage } from '../fixtures/browser.ts'
import { testFolder } from '../fixtures/engine.ts'
import { orientedJpeg, photo } from '../fixtures/pictures.ts'
import { testServer } from '../fixtures/server.ts'
import { unzip } from '../fixtures/unzip.ts'

const TARGET_KB = 30

/** A nested folder of mixed files; good ones and, by their name, bad ones. */
async function mixedFolder(root: string): Promise<readonly string[]> {
  const files = new Map<string, Buffer>()
  for (let n = 1; n <= 8; n++) files.set(`方向/方向${n}.jpg`, await orientedJpeg(n))
  files.set('照片/印刷 CMYK.jpg', await photo(400, 300).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer())
  files.set('照片/16位.png', await photo(300, 240).toColourspace('rgb16').png().toBuffer())
  files.set('照片/透明.png', await photo(300, 240, 4).png().toBuffer())
  files.set('照片/网页.webp', await photo(500, 400).webp({ quality: 95 }).toBuffer())
  files.set('照片/新格式.avif', await photo(400, 300).avif({ quality: 90, effort: 0 }).toBuffer())
  for (let n = files.size; n < 56; n++)
    files.set(`批量/第${n % 3}组/图${n}.jpg`, await photo(360, 270, 3, n).jpeg({ quality: 92 }).toBuffer())
  const whole = await photo(800, 600).jpeg({ quality: 95 }).toBuffer()
  files.set('坏的/截断.jpg', whole.subarray(0, whole.length / 2))
  files.set('坏的/文本.jpg', Buffer.from('这不是图片'))
  files.set('坏的/空.jpg', Buffer.alloc(0))
  files.set('坏的/炸弹.png', bilevelPng(20_000, 20_000))
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), bytes)
  }
  return [...files.keys()]
}

describe('a person with a folder of pictures', () => {
  it(
    'gets every good one at most as large as asked, upright, in its folder, and a reason for every bad one',
    { timeout: 400_000 },
    async () => {
      await using server = await testServer()
      await using folder = await testFolder()
      const root = join(folder.path, '资料')
      const names = await mixedFolder(root)
      await using opened = await openPage(server.url)
      const { page, complaints } = opened
      await page.locator('input[webkitdirectory]').setInputFiles(root)
      await page.getByLabel('目标大小', { exact: true }).fill(String(TARGET_KB))
      await page.getByRole('button', { name: '开始处理' }).click()
      const bad = names.filter((name) => name.startsWith('坏的/')).length
      await page.getByText(`失败 ${bad} 个`).waitFor({ timeout: 240_000 })
      await page.getByText(`已完成 ${names.length - bad} 个`).waitFor({ timeout: 240_000 })
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '全部下载' }).click()])
      const results = await unzip(await readFile(await download.path()))

      const good = names.filter((name) => !name.startsWith('坏的/'))
      expect([...results.keys()].toSorted()).toEqual(good.map((name) => `资料/${name}`).toSorted())
      const wrong: string[] = []
      for (const name of good) {
        const bytes = results.get(`资料/${name}`) ?? Buffer.alloc(0)
        const [before, after] = await Promise.all([sharp(join(root, name)).metadata(), sharp(bytes).metadata()])
        const isUpright = (after.orientation ?? 1) === 1 || bytes.length === (await readFile(join(root, name))).length
        const isTall = before.autoOrient.height > before.autoOrient.width === after.autoOrient.height > after.autoOrient.width
        if (bytes.length > TARGET_KB * 1024 || !isUpright || !isTall) wrong.push(`${name} ${bytes.length}`)
      }
      expect(wrong).toEqual([])
      expect(complaints).toEqual([])
    },
  )
})

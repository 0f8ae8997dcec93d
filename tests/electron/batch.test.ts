import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { hasClient, openClient } from '../fixtures/client.ts'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer } from '../fixtures/server.ts'

const FILES = 60
const PATIENCE = { timeout: 120_000, interval: 50 }

/** A folder of photos of a few kinds; what each holds, by its name. */
async function photosIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  await mkdir(folder)
  const kinds = await Promise.all([1, 2, 3].map((seed) => photo(800, 600, 3, seed).jpeg({ quality: 97 }).toBuffer()))
  const all = new Map(Array.from({ length: FILES }, (_, n) => [`照片 ${n}.jpg`, kinds[n % 3] ?? Buffer.alloc(0)] as const))
  for (const [name, bytes] of all) await writeFile(join(folder, name), bytes)
  return all
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])

test.skipIf(!hasClient)(
  'a folder of 60 files, killed half-way, is done by the next start: results right, sources as they were',
  async () => {
    await using server = await testServer()
    await using folder = await testFolder()
    const [sources, own] = [join(folder.path, '旅行'), join(folder.path, 'own')]
    const photos = await photosIn(sources)
    await mkdir(own)
    const results = join(sources, '轻图')
    {
      await using client = await openClient({ server: server.url, folder: own })
      const { page } = client
      await page.locator('input[webkitdirectory]').first().setInputFiles(sources)
      await page.getByText(`共 ${FILES} 个文件`).waitFor()
      await page.getByLabel('目标大小', { exact: true }).fill('50')
      await page.getByRole('button', { name: '开始处理' }).click()
      await expect.poll(async () => (await namesIn(results)).length, PATIENCE).toBeGreaterThan(5)
      await client.kill()
    }
    expect((await namesIn(results)).length).toBeLessThan(FILES)
    await using again = await openClient({ server: server.url, folder: own })
    expect(again.page.url()).toBe('app://qingtu/')
    await expect.poll(async () => (await namesIn(results)).toSorted(), PATIENCE).toEqual([...photos.keys()].toSorted())
    expect((await readdir(sources)).toSorted()).toEqual([...photos.keys(), '轻图'].toSorted())
    for (const [name, bytes] of photos) {
      expect((await readFile(join(sources, name))).equals(bytes)).toBe(true)
      expect((await stat(join(results, name))).size).toBeLessThanOrEqual(50 * 1024)
      expect((await sharp(join(results, name)).stats()).isOpaque).toBe(true)
    }
  },
)

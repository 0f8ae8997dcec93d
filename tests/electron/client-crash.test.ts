import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileInput } from '../fixtures/browser.ts'
import { hasClient, openClient, type Client } from '../fixtures/client.ts'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer, type TestServer } from '../fixtures/server.ts'

const PATIENCE = { timeout: 120_000, interval: 100 }

/** Files of a folder of a test's own; their paths. */
async function photosIn(folder: string, count: number): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  const bytes = await photo(1200, 900, 3, 1).jpeg({ quality: 97 }).toBuffer()
  const paths = Array.from({ length: count }, (_, n) => join(folder, `照片 ${n}.jpg`))
  for (const path of paths) await writeFile(path, bytes)
  return paths
}

/** What the window shows now: Playwright's own page ends with the process that drew it, and what is asked of a page without one is never answered. */
const shown = ({ app }: Client): Promise<string> =>
  app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    const text = window?.webContents.executeJavaScript('location.href + document.body.innerText')
    return Promise.race([text, new Promise((resolve) => setTimeout(resolve, 1000))]).then(String)
  })

/** Ends processes as somebody does from outside, or as a crash does: the page's, or the engine's. */
const end = ({ app }: Client, whose: 'page' | 'engine', signal: 'SIGKILL' | 'SIGSEGV'): Promise<number> =>
  app.evaluate(
    ({ app: electron, BrowserWindow }, [target, how]) => {
      const [window] = BrowserWindow.getAllWindows()
      const engine = electron.getAppMetrics().filter(({ serviceName, name }) => [serviceName, name].includes('轻图'))
      const pids = target === 'page' ? [window?.webContents.getOSProcessId() ?? 0] : engine.map(({ pid }) => pid)
      for (const pid of pids) process.kill(pid, how)
      return pids.length
    },
    [whose, signal] as const,
  )

/** Puts files on the page that is shown, and starts them. */
async function start({ page }: Client, paths: readonly string[], targetKb: number): Promise<void> {
  await page.locator(fileInput).first().setInputFiles(paths)
  await page.getByText(`共 ${paths.length} 个文件`).waitFor()
  await page.getByLabel('目标大小', { exact: true }).fill(String(targetKb))
  await page.getByRole('button', { name: '开始处理' }).click()
}

describe.skipIf(!hasClient)('the client, when something of it ends', () => {
  let server: TestServer
  beforeAll(async () => void (server = await testServer()))
  afterAll(() => server?.[Symbol.asyncDispose]())

  test('opens where its window was left', async () => {
    await using folder = await testFolder()
    const bounds = { x: 120, y: 40, width: 1010, height: 710 }
    {
      await using client = await openClient({ server: server.url, folder: folder.path })
      await client.app.evaluate(({ BrowserWindow }, left) => BrowserWindow.getAllWindows()[0]?.setBounds(left), bounds)
      await client.quit()
    }
    await using again = await openClient({ server: server.url, folder: folder.path })
    expect(await again.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(bounds)
  })

  test('shows its page again where that crashed: jobs go on, and rows come back', async () => {
    await using folder = await testFolder()
    const paths = await photosIn(join(folder.path, '照片'), 12)
    const [waiting = ''] = await photosIn(join(folder.path, '另外'), 1)
    await using client = await openClient({ server: server.url })
    const { page } = client
    await page.getByRole('link', { name: '格式转换' }).first().click()
    // Pages that were opened stay, out of sight, in the order in which they were.
    await page.locator(fileInput).last().setInputFiles(waiting)
    await page.getByText('共 1 个文件').waitFor()
    await page.getByRole('link', { name: '图片压缩' }).first().click()
    await start(client, paths, 40)
    const results = join(folder.path, '照片', '轻图')
    const done = async (): Promise<number> => (await readdir(results).catch(() => [])).length
    await expect.poll(done, PATIENCE).toBeGreaterThan(1)
    const url = page.url()
    expect(await end(client, 'page', 'SIGKILL')).toBe(1)
    await expect.poll(() => shown(client), PATIENCE).toMatch(/已完成 12 个/)
    expect((await shown(client)).startsWith(url)).toBe(true)
    await client.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      return window?.webContents.executeJavaScript(`[...document.links].find((link) => link.textContent.includes('格式转换')).click()`)
    })
    await expect.poll(() => shown(client), PATIENCE).toContain('共 1 个文件')
    expect(await done()).toBe(12)
    expect(await readFile(join(client.folder, 'logs/client.log'), 'utf8')).toContain('the page is gone: killed')
  })

  test('shows what was not started where it was killed as a whole, on its page', async () => {
    await using folder = await testFolder()
    const own = join(folder.path, 'own')
    await mkdir(own)
    const paths = await photosIn(join(folder.path, '照片'), 20)
    {
      await using client = await openClient({ server: server.url, folder: own })
      await client.page.getByRole('link', { name: '格式转换' }).first().click()
      await client.page.locator(fileInput).last().setInputFiles(paths)
      await client.page.getByText('共 20 个文件').waitFor()
      const noted = async (): Promise<unknown[]> => JSON.parse(await readFile(join(own, 'jobs/waiting.json'), 'utf8').catch(() => '[]'))
      await expect.poll(async () => (await noted()).length, PATIENCE).toBe(20)
      await client.kill()
    }
    {
      await using again = await openClient({ server: server.url, folder: own })
      await again.page.getByText('共 20 个文件').waitFor()
      expect(again.page.url()).toContain('/convert')
      await again.page.getByRole('button', { name: '开始处理' }).click()
      await again.page.getByText('全部完成：成功 20 个').waitFor()
      await again.quit()
    }
    await using clean = await openClient({ server: server.url, folder: own })
    await clean.page.getByRole('heading', { name: '图片压缩到指定KB' }).waitFor()
    expect(await clean.page.getByText('共 20 个文件').count()).toBe(0)
  })

  test('shows its jobs where it was killed just after it took them', async () => {
    await using folder = await testFolder()
    const own = join(folder.path, 'own')
    await mkdir(own)
    const paths = await photosIn(join(folder.path, '照片'), 20)
    {
      await using client = await openClient({ server: server.url, folder: own })
      await start(client, paths, 40)
      // What the page itself notes in such a moment, Chromium has not written yet.
      await expect.poll(() => readFile(join(own, 'jobs/jobs.jsonl'), 'utf8'), { timeout: 60_000, interval: 20 }).toContain('"accepted"')
      await client.kill()
    }
    await using again = await openClient({ server: server.url, folder: own })
    await again.page.getByText('已完成 20 个').waitFor()
    expect(await again.page.getByText('共 20 个文件').count()).toBe(1)
  })

  test('does a job all the same whose process is killed from outside; one whose process crashes is given up', async () => {
    await using folder = await testFolder()
    await using client = await openClient({ server: server.url })
    const bytes = await photo(3600, 2700).webp({ quality: 90, effort: 0 }).toBuffer()
    const log = (): Promise<string> => readFile(join(client.folder, 'logs/client.log'), 'utf8')
    const deaths = async (how: string): Promise<number> => (await log()).split(how).length - 1
    for (const [name, signal] of [
      ['killed', 'SIGKILL'],
      ['crashed', 'SIGSEGV'],
    ] as const) {
      const path = join(folder.path, `${name}.webp`)
      await writeFile(path, bytes)
      await client.page.locator(fileInput).first().setInputFiles(path)
      await client.page.getByRole('button', { name: '开始处理' }).click()
      const before = await deaths('a process of Utility is gone')
      for (const times of [1, 2]) {
        await expect.poll(() => end(client, 'engine', signal), PATIENCE).toBe(1)
        await expect.poll(() => deaths('a process of Utility is gone'), PATIENCE).toBe(before + times)
      }
    }
    await expect.poll(() => deaths(' ended: '), PATIENCE).toBe(2)
    const ends = [...(await log()).matchAll(/ ended: compress-image, ([\w.-]+),/g)].map(([, how]) => how)
    expect(ends.toSorted()).toEqual(['done', 'job.failed'])
  })
})

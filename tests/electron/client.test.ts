import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { electronBinary } from '#build/electron-binary'
import { root } from '#build/setup'
import { hasClient, openClient, type Client } from '../fixtures/client.ts'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'

/** What a frame tries on the client around it; what came of it, once it has tried everything. */
const TRIES = `<!doctype html><title>frame</title><script>
(async () => {
  const tried = { own: typeof window.qingtu }
  try { tried.above = typeof parent.qingtu } catch { tried.above = 'refused' }
  const reach = (init) => fetch('app://qingtu/api/devices', init).then(({ type }) => type, () => 'refused')
  tried.fetch = await reach({})
  tried.blind = await reach({ mode: 'no-cors' })
  tried.picture = await new Promise((resolve) => {
    const picture = new Image()
    picture.onload = () => resolve('shown')
    picture.onerror = () => resolve('refused')
    picture.src = 'app://qingtu/icon.svg'
  })
  tried.permission = await Notification.requestPermission()
  try { top.location = 'https://example.com/' } catch {}
  tried.opened = window.open('https://example.com/') === null ? 'refused' : 'open'
  document.title = JSON.stringify(tried)
})()
</script>`

/** A server that knows nothing of the API, and whose one page is hostile. */
async function hostileServer(): Promise<{ server: Server; url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
    const isPage = request.url === '/frame'
    response.writeHead(isPage ? 200 : 404, { 'content-type': isPage ? 'text/html' : 'application/json' }).end(isPage ? TRIES : '{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return { server, url: `http://127.0.0.1:${port}`, seen }
}

/** Notes what would be opened in the browser instead of opening it. */
const watchBrowser = ({ app }: Client): Promise<void> =>
  app.evaluate(({ shell }) => {
    Object.assign(globalThis, { opened: [] })
    // Playwright runs this in the main process, where it is found again.
    shell.openExternal = (address) => Promise.resolve(void (globalThis as unknown as { opened: string[] }).opened.push(address))
  })
const openedIn = ({ app }: Client): Promise<string[]> => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened) // set above

describe.skipIf(!hasClient)('the window of the client', () => {
  let hostile: Awaited<ReturnType<typeof hostileServer>>
  let client: Client
  beforeAll(async () => {
    hostile = await hostileServer()
    client = await openClient({ server: hostile.url })
    await watchBrowser(client)
    await client.page.getByRole('heading', { name: '图片压缩到指定KB' }).waitFor()
  })
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]()
    hostile?.server.close()
  })

  test('shows the page at an origin of its own, with nothing of Node or Electron in it', async () => {
    const { page } = client
    expect(page.url()).toBe('app://qingtu/')
    const found = await page.evaluate(() => ({
      version: (window as unknown as { qingtu: { version: string } }).qingtu.version, // put there by the preload script
      others: ['require', 'process', 'module', 'Buffer', 'global', 'electron'].filter((name) => name in window),
      cookie: document.cookie,
    }))
    expect(found).toEqual({ version: '1.2.3', others: [], cookie: '' })
  })

  test('runs no script and sends nothing but its policy allows', async () => {
    const policy = await client.page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy') ?? '')
    expect(policy).toContain(`default-src 'none'`)
    expect(policy).toContain(`connect-src 'self';`)
    expect(policy).toContain(`frame-src 'self' https://openapi.alipay.com https://excashier.alipay.com ${hostile.url};`)
    const refused = await client.page.evaluate(
      (url) =>
        fetch(url).then(
          () => 'answered',
          () => 'refused',
        ),
      hostile.url,
    )
    expect(refused).toBe('refused')
  })

  test('lets a frame reach neither the page, nor its origin, nor the main process', async () => {
    const { page } = client
    await page.evaluate((url) => {
      const frame = document.createElement('iframe')
      frame.src = `${url}/frame`
      document.body.append(frame)
    }, hostile.url)
    await expect
      .poll(
        () =>
          page
            .frames()
            .find((frame) => frame.url().endsWith('/frame'))
            ?.title(),
        { timeout: 30_000 },
      )
      .toContain('opened')
    const frame = page.frames().find((one) => one.url().endsWith('/frame'))
    expect(JSON.parse((await frame?.title()) ?? '{}')).toEqual({
      own: 'undefined',
      above: 'refused',
      fetch: 'refused',
      blind: 'refused',
      picture: 'refused',
      permission: 'denied',
      opened: 'refused',
    })
    expect(page.url()).toBe('app://qingtu/')
    expect(await openedIn(client)).toEqual([])
    expect(client.app.windows()).toHaveLength(1)
  })

  test('answers no other page, whatever script it was given', async () => {
    const opening = client.app.waitForEvent('window')
    await client.app.evaluate(
      ({ BrowserWindow }, { preload, url }) => {
        void new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } }).loadURL(url)
      },
      { preload: join(root, 'dist/shell/preload.cjs'), url: `${hostile.url}/other` },
    )
    const other = await opening
    await other.waitForLoadState()
    const asked = () => (window as unknown as { qingtu: { ask: (name: string) => Promise<unknown> } }).qingtu.ask('settings:read') // the preload script's
    expect(await other.evaluate(asked)).toEqual({ error: { code: 'request.refused', data: {} } })
    expect(await client.page.evaluate(asked)).toMatchObject({ data: { output: { place: 'subfolder' } } })
    await other.close()
  })

  test('stays where it is, and hands only known addresses to the browser', async () => {
    const { page } = client
    for (const address of [
      'https://example.com/',
      `${hostile.url}@example.com/`,
      'file:///etc/passwd',
      `${hostile.url}/known`,
      'https://beian.miit.gov.cn/',
    ]) {
      await page.evaluate((url) => {
        window.open(url)
        location.href = url
      }, address)
      await page.waitForTimeout(200)
    }
    expect(page.url()).toBe('app://qingtu/')
    expect(client.app.windows()).toHaveLength(1)
    expect(new Set(await openedIn(client))).toEqual(new Set([`${hostile.url}/known`, 'https://beian.miit.gov.cn/']))
  })

  test('names neither its page nor its own cookies to the server', () => {
    expect(hostile.seen.some((line) => line.startsWith('GET /api/user/tourist'))).toBe(true)
    for (const line of hostile.seen.filter((one) => one.includes('/api/')))
      expect(line).not.toMatch(/app:|"origin"|"referer"|sec-fetch-site":"cross/)
  })
})

describe.skipIf(!hasClient)('a client without its server', () => {
  test('shows the page all the same, to somebody it does not know', async () => {
    await using client = await openClient({ server: 'http://127.0.0.1:9' })
    await client.page.getByRole('heading', { name: '图片压缩到指定KB' }).waitFor()
    const tourist = await client.page.evaluate(async () => (await fetch('/api/user/tourist')).json())
    expect(tourist).toEqual({ data: { userid: 'offline', username: '游客' } })
  })
})

describe.skipIf(!hasClient)('a second start', () => {
  test('hands its files to the window that is open, and ends', async () => {
    await using folder = await testFolder()
    await mkdir(join(folder.path, '照片'))
    const [first, second] = [join(folder.path, '一.jpg'), join(folder.path, '照片', '二 三.jpg')]
    for (const path of [first, second]) await writeFile(path, await photo(64, 64).jpeg().toBuffer())
    await using client = await openClient({ server: 'http://127.0.0.1:9', args: [first] })
    await client.page.getByText('一.jpg').first().waitFor()
    const args = ['--no-sandbox', '--disable-gpu', `--user-data-dir=${client.folder}`, root, join(folder.path, '照片')]
    const env = { ...process.env, ...(await client.app.evaluate(() => ({ DISPLAY: process.env['DISPLAY'] ?? '' }))) }
    const again = spawn(electronBinary() ?? '', args, { env, stdio: 'ignore' })
    expect(await once(again, 'exit')).toEqual([0, null])
    await client.page.getByText('二 三.jpg').first().waitFor()
  })
})

import type { Rectangle } from 'electron'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { soon, startMain, type MainProcess } from '../fixtures/electron/main-process.ts'

const electron = vi.hoisted((): Record<string, unknown> => ({}))
vi.mock('electron', () => electron)

const screen = { x: 0, y: 0, width: 1920, height: 1040 }
const right = { x: 1920, y: -200, width: 1280, height: 984 }
const SERVER = 'http://127.0.0.1:9'

/** Where a window opens that was left somewhere else by an earlier start. */
async function reopened(left: Rectangle, screens: readonly Rectangle[], isMaximised = false) {
  await using folder = await testFolder()
  {
    await using main = await startMain(electron, { folder: folder.path })
    const { window } = main.electron
    window.bounds = left
    window.state.isMaximised = isMaximised
    window.close()
  }
  await using again = await startMain(electron, { folder: folder.path, screens })
  const { options, state } = again.electron.window
  const { x, y, width, height, minWidth, minHeight } = options
  return { bounds: { x, y, width, height }, least: [minWidth, minHeight], isMaximised: state.isMaximised }
}

describe('the window', () => {
  test('opens in the middle at first, and its page has nothing of Node', async () => {
    await using main = await startMain(electron)
    const { options, state } = main.electron.window
    expect(options).toMatchObject({ x: 320, y: 90, width: 1280, height: 860, minWidth: 960, minHeight: 600, title: '轻图' })
    expect(options.webPreferences).toMatchObject({ contextIsolation: true, sandbox: true, webSecurity: true, webviewTag: false })
    const inNode = ['nodeIntegration', 'nodeIntegrationInSubFrames', 'nodeIntegrationInWorker'] as const
    for (const name of inNode) expect(options.webPreferences?.[name]).toBe(false)
    expect(state.isMaximised).toBe(false)
  })

  test.each([
    ['opens where it was left', { x: 40, y: 60, width: 1100, height: 700 }, [screen], { x: 40, y: 60, width: 1100, height: 700 }],
    [
      '… on a second screen too',
      { x: 2000, y: -100, width: 1000, height: 800 },
      [screen, right],
      { x: 2000, y: -100, width: 1000, height: 800 },
    ],
    ['opens in the middle of the first where that screen is gone', { ...right }, [screen], { x: 320, y: 28, width: 1280, height: 984 }],
    [
      'comes back from beyond the edge',
      { x: 1800, y: 1000, width: 1200, height: 700 },
      [screen],
      { x: 720, y: 340, width: 1200, height: 700 },
    ],
    [
      'fits a screen that became smaller',
      { x: 0, y: 0, width: 1900, height: 1000 },
      [{ ...right, x: 0, y: 0 }],
      { x: 0, y: 0, width: 1280, height: 984 },
    ],
  ])('%s', async (_what, left, screens, bounds) => {
    expect(await reopened(left, screens)).toEqual({ bounds, least: [960, 600], isMaximised: false })
  })

  test('is maximised again, and knows how large it was before', async () => {
    const bounds = { x: 40, y: 60, width: 1100, height: 700 }
    expect(await reopened(bounds, [screen], true)).toMatchObject({ bounds, isMaximised: true })
  })

  test('is no larger than a small screen, whose size is then its least', async () => {
    const small = { x: 0, y: 0, width: 800, height: 560 }
    await using main = await startMain(electron, { screens: [small] })
    expect(main.electron.window.options).toMatchObject({ ...small, minWidth: 800, minHeight: 560 })
  })
})

describe('the page', () => {
  let main: MainProcess
  beforeAll(async () => void (main = await startMain(electron)))
  afterAll(() => main[Symbol.asyncDispose]())

  test('goes nowhere: known addresses open in the browser, others not at all', async () => {
    const { opened, window } = main.electron
    const { webContents: contents } = window
    expect(contents.isHeld('will-navigate', 'app://qingtu/')).toBe(false)
    for (const url of [
      `${SERVER}/member`,
      'https://beian.miit.gov.cn/',
      'https://example.com/',
      'file:///etc/passwd',
      'app://qingtu/other',
    ])
      expect([url, contents.isHeld('will-navigate', url)]).toEqual([url, true])
    expect(contents.opens({ url: `${SERVER}/opened` })).toEqual({ action: 'deny' })
    expect(contents.opens({ url: 'https://example.com/opened' })).toEqual({ action: 'deny' })
    expect(opened).toEqual([`${SERVER}/member`, 'https://beian.miit.gov.cn/', `${SERVER}/opened`])
    expect(await main.log()).toContain('https://example.com was not opened')
    expect([contents.isHeld('will-redirect', 'app://qingtu/'), contents.isHeld('will-redirect', `${SERVER}/`)]).toEqual([false, true])
    const attach = { preventDefault: vi.fn<() => void>() }
    contents.emit('will-attach-webview', attach)
    expect(attach.preventDefault).toHaveBeenCalledOnce()
  })

  test('has frames in which one pays, and no others', () => {
    const { webContents: contents } = main.electron.window
    const isHeld = (url: string): boolean => contents.isHeld('will-frame-navigate', url, false)
    for (const url of [`${SERVER}/sandbox/pay/1`, 'https://openapi.alipay.com/gateway.do', 'app://qingtu/sandbox/pay/1'])
      expect([url, isHeld(url)]).toEqual([url, false])
    for (const url of ['app://qingtu/', 'https://example.com/', 'data:text/html,x', 'https://openapi.alipay.com.example/'])
      expect([url, isHeld(url)]).toEqual([url, true])
    expect([
      contents.isHeld('will-redirect', 'https://excashier.alipay.com/x', false),
      contents.isHeld('will-redirect', 'app://qingtu/', false),
    ]).toEqual([false, true])
  })

  test('may copy text, and nothing else', () => {
    const own = main.electron.session.defaultSession
    expect(own.permits('clipboard-sanitized-write')).toEqual([true, true])
    for (const permission of ['clipboard-read', 'notifications', 'media', 'geolocation', 'fullscreen', 'openExternal', 'fileSystem'])
      expect([permission, ...own.permits(permission)]).toEqual([permission, false, false])
    expect(own.permits('clipboard-sanitized-write', 'app://qingtu', false)).toEqual([false, false])
    expect(own.permits('clipboard-sanitized-write', 'app://qingtu.example')).toEqual([false, false])
    expect([own.onDevice?.(), own.onDisplay]).toEqual([false, null])
  })

  test('alone reaches its own addresses, and downloads from nowhere else', () => {
    const own = main.electron.session.defaultSession
    const page = { origin: 'app://qingtu', parent: null }
    const url = 'app://qingtu/api/jobs'
    expect(own.lets({ url, resourceType: 'xhr', frame: page })).toBe(true)
    expect(own.lets({ url, resourceType: 'xhr', frame: { origin: SERVER, parent: page } })).toBe(false)
    expect(own.downloads('blob:app://qingtu/1', 'app://qingtu/')).toBe(true)
    expect(own.downloads('https://example.com/setup.exe', 'app://qingtu/')).toBe(false)
    expect(own.downloads('app://qingtu/local/results/1/0', 'https://example.com/')).toBe(false)
  })

  test('alone is answered, in its top frame', async () => {
    const { mainFrame } = main.electron.window.webContents
    const ask = (frame: object): Promise<unknown> => main.electron.invoke('ask:settings:read', undefined, frame)
    expect(await ask(mainFrame)).toMatchObject({ data: { notify: true } })
    for (const frame of [
      { ...mainFrame, parent: mainFrame },
      { ...mainFrame, origin: SERVER },
    ])
      expect(await ask(frame)).toEqual({ error: { code: 'request.refused', data: {} } })
  })
})

describe('the session', () => {
  const cookie = { url: SERVER, name: 'sid', value: 'secret', path: '/', secure: false, httpOnly: true, sameSite: 'lax' } as const

  test('is kept sealed from start to start, and begins anew for another server', async () => {
    await using folder = await testFolder()
    const cookies = async (server?: string): Promise<readonly string[]> => {
      await using main = await startMain(electron, { folder: folder.path, ...(server !== undefined && { server }) })
      const jar = main.electron.session.fromPartition('server').cookies
      await soon(async () => expect((await main.electron.session.defaultSession.ask('/api/jobs')).status).toBe(200))
      const found = (await jar.get({})).map(({ name, value }) => `${name}=${value}`)
      if (server === undefined) await jar.set(cookie)
      return found
    }
    expect(await cookies()).toEqual([])
    expect(await cookies()).toEqual(['sid=secret'])
    expect(await readFile(join(folder.path, 'kept', 'session.sealed'), 'utf8')).not.toContain('secret')
    expect(await cookies('https://other.example')).toEqual([])
    expect(await cookies()).toEqual([])
  })
})

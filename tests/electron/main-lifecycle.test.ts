import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { soon, startMain, type MainProcess } from '../fixtures/electron/main-process.ts'
import { channels } from '#shared/desktop'

const electron = vi.hoisted((): Record<string, unknown> => ({}))
vi.mock('electron', () => electron)

/** News of one kind that the page hears from now on. */
async function hear({ desktop }: MainProcess, name: 'files-arrived'): Promise<unknown[]> {
  const heard: unknown[] = []
  ;(await desktop()).hear(name, (told) => void heard.push(told))
  return heard
}

describe('a start', () => {
  test('makes all ready that the page stands on, and then opens it', async () => {
    await using main = await startMain(electron, { isReady: false })
    const { app, schemes, before } = main.electron
    expect(schemes).toEqual([{ scheme: 'app', wasReady: false }])
    expect(app.windows).toEqual([])
    app.begin()
    await soon(() => expect(app.windows).toHaveLength(1))
    const locks = ['app', 'requests', 'permissions', 'checks', 'devices', 'will-download']
    expect(before).toEqual([...Object.keys(channels).map((name) => `ask:${name}`), ...locks])
    const { window, session } = main.electron
    expect(window.webContents.loads).toEqual(['app://qingtu/'])
    expect([window.options.show, window.state.isShown]).toEqual([false, false])
    window.emit('ready-to-show')
    expect(window.state.isShown).toBe(true)
    expect(await (await session.defaultSession.ask('/api/jobs')).json()).toEqual({ data: [] })
    expect(app.userAgentFallback).toBe('Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/144.0.0.0 Safari/537.36 QingtuClient/1.2.3')
    expect([app.id, (await main.desktop()).version]).toEqual(['com.qingtu.client', '1.2.3'])
    expect(await main.log()).toContain('started 1.2.3')
  })

  test('with files has the page ask for them', async () => {
    await using folder = await testFolder()
    const [one, two] = ['一.txt', '--二.txt'].map((name) => join(folder.path, name))
    for (const path of [one, two]) await writeFile(path ?? '', 'text')
    await using main = await startMain(electron, { words: ['--flag', one ?? '', '--', two ?? ''] })
    const desktop = await main.desktop()
    expect(await desktop.ask('files:arrived', undefined)).toMatchObject({ data: [{ name: '一.txt' }, { name: '--二.txt' }] })
    expect(await desktop.ask('files:arrived', undefined)).toEqual({ data: [] })
  })

  test('that finds another client hands over its files and ends, without a window or a log', async () => {
    await using main = await startMain(electron, { isFirst: false, words: ['a b.jpg'] })
    const { app } = main.electron
    expect([app.handed, app.exitCode]).toEqual([{ files: [resolve('a b.jpg')] }, 0])
    expect([app.windows, main.electron.schemes]).toEqual([[], []])
    await expect(main.log()).rejects.toThrow('ENOENT')
  })

  test('that cannot be one says why, and ends', async () => {
    await using main = await startMain(electron, { server: 'http://qingtu.example' })
    expect(main.electron.errors).toEqual([expect.stringMatching(/^轻图无法启动：服务器地址.*http:\/\/qingtu\.example$/)])
    expect(main.electron.app.exitCode).toBe(1)
    expect(await main.log()).toContain('the client did not start')
  })
})

describe('another start', () => {
  test('brings up the window, and what several hand over comes at once', async () => {
    await using folder = await testFolder()
    for (const name of ['a.txt', 'b.txt']) await writeFile(join(folder.path, name), name)
    await using main = await startMain(electron)
    const { app, window } = main.electron
    const heard = await hear(main, 'files-arrived')
    await (await main.desktop()).ask('files:arrived', undefined)
    window.state.isMinimised = true
    for (const name of ['a.txt', 'b.txt', 'none.txt']) {
      app.emit('second-instance', {}, ['another word'], '/elsewhere', { files: [join(folder.path, name)] })
    }
    app.emit('second-instance', {}, [], '', { files: 'nonsense' })
    expect(window.state).toMatchObject({ isMinimised: false, isShown: true, hasFocus: true })
    await soon(() => expect(heard).toHaveLength(1))
    expect(heard).toEqual([[expect.objectContaining({ name: 'a.txt' }), expect.objectContaining({ name: 'b.txt' })]])
  })

  test('while the page is loaded anew waits for it', async () => {
    await using folder = await testFolder()
    await writeFile(join(folder.path, 'a.txt'), 'a')
    await using main = await startMain(electron)
    const { app, window } = main.electron
    const desktop = await main.desktop()
    const heard = await hear(main, 'files-arrived')
    await desktop.ask('files:arrived', undefined)
    await window.loadURL('app://qingtu/')
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    app.emit('second-instance', {}, [], '', { files: [join(folder.path, 'a.txt')] })
    vi.advanceTimersByTime(1000)
    vi.useRealTimers()
    expect(await desktop.ask('files:arrived', undefined)).toMatchObject({ data: [{ name: 'a.txt' }] })
    expect(heard).toEqual([])
  })
})

describe('the end', () => {
  test('comes with the last window, once all is put down', async () => {
    await using main = await startMain(electron)
    expect(main.electron.window.close()).toBe(true)
    expect(main.electron.app.exitCode).toBeUndefined()
    await soon(() => expect(main.electron.app.exitCode).toBe(0))
    expect(main.electron.questions).toEqual([])
  })

  test('is asked about while files are at work, and what was not done goes on at the next start', async () => {
    await using folder = await testFolder()
    const own = join(folder.path, 'own')
    const source = join(folder.path, 'a.txt')
    await writeFile(source, 'a')
    {
      await using main = await startMain(electron, { folder: own })
      const { app, questions, window } = main.electron
      await main.begin(source)
      await main.engine()
      expect(window.close()).toBe(false)
      expect(questions).toEqual([expect.objectContaining({ message: '还有文件正在处理', buttons: ['继续处理', '退出'] })])
      app.quit()
      expect([questions.length, app.exitCode, window.state.isClosed]).toEqual([2, undefined, false])
      main.electron.pressed = 1
      expect(window.close()).toBe(true)
      await soon(() => expect(app.exitCode).toBe(0))
    }
    await using again = await startMain(electron, { folder: own })
    const order = (await again.engine()).orders[0]
    expect(order?.job.inputs[0].path).toBe(source)
    await again.finish('done')
    const jobs = async (): Promise<unknown> => (await again.electron.session.defaultSession.ask('/api/jobs')).json()
    await soon(async () => expect(await jobs()).toMatchObject({ data: [{ state: 'done' }] }))
  })
})

describe('a process that is gone', () => {
  test('is noted', async () => {
    await using main = await startMain(electron)
    main.electron.app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed', exitCode: 139 })
    expect(await main.log()).toContain('a process of GPU is gone: crashed 139')
  })

  test('that was the page’s is made anew: three times within a minute, and then a person is told', async () => {
    await using main = await startMain(electron)
    const { errors, window } = main.electron
    const { webContents: contents } = window
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
    try {
      const die = (reason: string): void => {
        contents.die(reason)
        vi.advanceTimersByTime(1000)
      }
      die('clean-exit')
      expect(contents.loads).toHaveLength(1)
      for (const times of [2, 3, 4]) {
        die('crashed')
        expect(contents.loads).toHaveLength(times)
      }
      expect(errors).toEqual([])
      die('oom')
      expect([contents.loads.length, errors.length]).toEqual([4, 1])
      expect(errors[0]).toContain('页面多次意外关闭')
      vi.advanceTimersByTime(60_000)
      die('crashed')
      expect([contents.loads.length, errors.length]).toEqual([5, 1])
      // Closed meanwhile, it is loaded no more.
      contents.die('crashed')
      window.destroy()
      vi.advanceTimersByTime(1000)
      expect(contents.loads).toHaveLength(5)
    } finally {
      vi.useRealTimers()
    }
    expect(await main.log()).toContain('the page is gone: oom 11')
  })
})

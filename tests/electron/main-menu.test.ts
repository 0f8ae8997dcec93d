import type { MenuItemConstructorOptions } from 'electron'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { soon, startMain, type MainProcess } from '../fixtures/electron/main-process.ts'
import { menuCommand } from '#shared/desktop'

const electron = vi.hoisted((): Record<string, unknown> => ({}))
vi.mock('electron', () => electron)

type Item = MenuItemConstructorOptions

const below = ({ submenu }: Item): readonly Item[] => (Array.isArray(submenu) ? submenu : [])
const itemsOf = ({ electron: { menu } }: MainProcess): readonly Item[] => menu.flatMap((one) => [one, ...below(one)])

/** Chooses an item by its words. */
function choose(main: MainProcess, label: string): void {
  const item = itemsOf(main).find((one) => one.label === label)
  if (!item?.click) throw new Error(`no ${label}`)
  item.click({} as never, undefined, {}) // what it is given is nothing to ours
}

const commands = [
  ['添加文件…', 'open-files'],
  ['添加文件夹…', 'open-folder'],
  ['开始处理', 'start'],
  ['全部取消', 'cancel-all'],
  ['清空列表', 'clear'],
  ['设置…', 'settings'],
  ['登录', 'sign-in'],
  ['关于轻图', 'about'],
] as const

describe('the menu', () => {
  test('is in Chinese, and its keys are told apart', async () => {
    await using main = await startMain(electron)
    const items = itemsOf(main).filter(({ type }) => type !== 'separator')
    for (const { label } of items) expect(label).toMatch(/^[\p{Script=Han}…]+(\(&[A-Z]\))?$/u)
    expect(main.electron.menu.map(({ label }) => label)).toEqual(['文件(&F)', '编辑(&E)', '视图(&V)', '帮助(&H)'])
    const keys = items.flatMap(({ accelerator }) => accelerator ?? [])
    expect(new Set(keys).size).toBe(keys.length)
    expect(items.some(({ role }) => role === 'toggleDevTools')).toBe(true)
  })

  test('tells the page what it was chosen for, by all the names the page knows', async () => {
    await using main = await startMain(electron)
    const heard: string[] = []
    ;(await main.desktop()).hear('menu-command', (command) => void heard.push(command))
    for (const [label] of commands) choose(main, label)
    expect(heard).toEqual(commands.map(([, command]) => command))
    expect(new Set(heard)).toEqual(new Set(menuCommand.options))
  })

  test('opens the website and the logs, looks for updates, and ends the client', async () => {
    await using main = await startMain(electron)
    const heard: string[] = []
    ;(await main.desktop()).hear('menu-command', (command) => void heard.push(command))
    choose(main, '打开网站')
    await soon(() => expect(main.electron.opened).toEqual(['http://127.0.0.1:9/']))
    choose(main, '打开日志文件夹')
    expect(main.electron.opened.at(-1)).toBe(join(main.folder, 'logs'))
    choose(main, '检查更新')
    expect(heard).toEqual(['settings'])
    const state = async (): Promise<unknown> => (await main.desktop()).ask('updates:state', undefined)
    await soon(async () => expect(await state()).toEqual({ data: { at: 'failed' } }))
    choose(main, '退出')
    await soon(() => expect(main.electron.app.exitCode).toBe(0))
  })
})

describe('jobs at work', () => {
  /** A client at which a file waits to be worked on. */
  async function working(notify = true) {
    const folder = await testFolder()
    const source = join(folder.path, 'a.txt')
    await writeFile(source, 'a')
    const main = await startMain(electron)
    await (await main.desktop()).ask('settings:change', { notify })
    await main.begin(source)
    const engine = await main.engine()
    const { window } = main.electron
    // How jobs stand is told five times a second at most: who has not seen them begin is not told of their end.
    await soon(() => expect(window.bars.at(-1)).toEqual([0, 'normal']))
    return {
      main,
      engine,
      window,
      [Symbol.asyncDispose]: async () => {
        await main[Symbol.asyncDispose]()
        await folder[Symbol.asyncDispose]()
      },
    }
  }

  test('are seen in the task bar, and told of when nobody looks at the window', async () => {
    await using at = await working()
    const { notifications } = at.main.electron
    const { bars, flashes, state } = at.window
    // Progress is passed on four times a second at most.
    await soon(() => {
      at.engine.emit('message', { kind: 'progress', fraction: 0.5 })
      expect(bars.at(-1)).toEqual([0.5, 'normal'])
    })
    state.isMinimised = true
    await at.main.finish('done')
    await soon(() => expect(bars.at(-1)).toEqual([-1, 'normal']))
    expect(notifications.map(({ words, isShown }) => [words, isShown])).toEqual([[{ title: '轻图', body: '1 个文件已处理完成。' }, true]])
    expect(flashes).toEqual([true])
    notifications[0]?.emit('click')
    expect(state).toMatchObject({ isMinimised: false, isShown: true, hasFocus: true })
    expect(flashes).toEqual([true, false])
  })

  test('that failed are told of as that', async () => {
    await using at = await working()
    await at.main.finish('failed')
    await soon(() => expect(at.window.bars.at(-1)).toEqual([-1, 'error']))
    expect(at.main.electron.notifications.map(({ words }) => words.body)).toEqual(['1 个文件处理失败。'])
  })

  test.each([
    ['who looks at the window', true, true],
    ['who wants to hear nothing', false, false],
  ])('are not told of to somebody %s', async (_who, notify, hasFocus) => {
    await using at = await working(notify)
    at.window.state.hasFocus = hasFocus
    await at.main.finish('done')
    await soon(() => expect(at.window.bars.at(-1)).toEqual([-1, 'normal']))
    expect([at.main.electron.notifications, at.window.flashes]).toEqual([[], []])
  })
})

import { copyFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { app, dialog, shell, type BrowserWindow } from 'electron'
import type { Arrivals } from './arguments.ts'
import type { Handlers } from './ipc.ts'
import type { Local } from './local.ts'
import type { Settings } from './settings.ts'
import type { Updates } from './no-updates.ts'
import { AppError } from '#shared/errors/app-error'

/** What questions of the page are answered from. */
export interface Answers {
  readonly window: () => BrowserWindow | undefined
  readonly local: Local
  readonly settings: Settings
  readonly arrivals: Arrivals
  readonly updates: Updates
  /** Opens a page of the website in the browser. */
  readonly openSite: (path: string) => Promise<void>
}

/** Answers to all the page can ask. */
export const handlersOf = ({ window, local, settings, arrivals, updates, openSite }: Answers): Handlers => ({
  'files:grant': async (files) => {
    // A file that lies nowhere has no path: it is kept by its bytes instead.
    const granted = await local.grant(files.map(({ file, path }) => ({ path: file, ...(path !== undefined && { folder: path }) })))
    return [...granted]
  },
  'files:keep': ({ name, bytes }) => local.keep(name, bytes),
  'files:arrived': async () => [...(await local.open(arrivals.listen()))],
  'settings:read': () => settings.shown,
  'settings:change': (change) => {
    settings.change(change)
    return settings.shown
  },
  'settings:choose-folder': async () => {
    const { folder } = settings.shown.output
    const chosen = await ask(window(), folder)
    if (chosen !== undefined) settings.change({ place: 'folder', folder: await local.chosenFolder(chosen) })
    return settings.shown
  },
  'results:open': async ({ jobId, output }) => {
    const failure = await shell.openPath(await local.result(jobId, output))
    // No program is there for it.
    if (failure !== '') throw new AppError('internal', {}, { cause: new Error(failure) })
    return undefined
  },
  'results:show': async ({ jobId, output }) => {
    shell.showItemInFolder(await local.result(jobId, output))
    return undefined
  },
  'results:save-as': async ({ jobId, output }) => saveAs(window(), await local.result(jobId, output)),
  'site:open': async ({ path }) => {
    await openSite(path)
    return undefined
  },
  'quota:offline': () => null,
  'updates:state': () => updates.state,
  'updates:check': () => updates.check(),
  'updates:download': () => updates.download(),
  'updates:install': () => {
    updates.install()
    return undefined
  },
})

async function ask(window: BrowserWindow | undefined, folder: string): Promise<string | undefined> {
  const wish = {
    title: '选择保存结果的文件夹',
    buttonLabel: '选择文件夹',
    defaultPath: folder || app.getPath('pictures'),
    properties: ['openDirectory', 'createDirectory', 'promptToCreate'],
  } as const satisfies { properties: readonly string[]; [name: string]: unknown }
  const options = { ...wish, properties: [...wish.properties] }
  const { filePaths } = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options)
  return filePaths[0]
}

async function saveAs(window: BrowserWindow | undefined, result: string): Promise<boolean> {
  const options = { title: '另存为', defaultPath: basename(result) }
  const { filePath } = window ? await dialog.showSaveDialog(window, options) : await dialog.showSaveDialog(options)
  if (!filePath || filePath === result) return false
  await copyFile(result, filePath).catch((cause: unknown) => {
    const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC'
    throw new AppError(isFull ? 'storage.full' : 'storage.read-only', {}, { cause })
  })
  return true
}

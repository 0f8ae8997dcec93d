import { copyFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { app, dialog, shell, type BrowserWindow } from 'electron'
import type { Arrivals } from './arguments.ts'
import type { Handlers } from './ipc.ts'
import type { LocalWork } from './open-local.ts'
import type { Settings } from './settings.ts'
import type { SignedUpdates } from './updates/updates.ts'
import { codeOf } from '#engine/failures'
import type { RequestOf } from '#shared/desktop'
import { AppError } from '#shared/errors/app-error'

type ResultName = RequestOf<'results:open'>

/** What questions of the page are answered from. */
export interface Answers {
  readonly window: () => BrowserWindow | undefined
  readonly local: Promise<LocalWork>
  readonly settings: Settings
  readonly arrivals: Arrivals
  readonly updates: SignedUpdates
  /** Opens a page of the website in the browser. */
  readonly openSite: (path: string) => Promise<void>
}

/** Answers to all the page can ask. */
export function handlersOf({ window, local, settings, arrivals, updates, openSite }: Answers): Handlers {
  const result = async ({ jobId, output }: ResultName): Promise<string> => (await local).jobs.result(jobId, output)
  return {
    'files:grant': async (files) => {
      const placed = files.map(({ file, path }) => ({ path: file, ...(path !== undefined && { folder: path }) }))
      return [...(await (await local).jobs.grant(placed))]
    },
    'files:keep': async ({ name, bytes }) => (await local).jobs.keep(name, bytes),
    'files:arrived': async () => [...(await (await local).jobs.open(arrivals.listen()))],
    'files:note-waiting': async (files) => {
      ;(await local).jobs.noteWaiting(files)
      return undefined
    },
    'files:waiting': async () => [...(await (await local).jobs.waiting())],
    'settings:read': () => settings.shown,
    'settings:change': (change) => {
      settings.change(change)
      return settings.shown
    },
    'settings:choose-folder': async () => {
      const chosen = await ask(window(), settings.shown.output.folder)
      if (chosen !== undefined) settings.change({ place: 'folder', folder: await (await local).jobs.chosenFolder(chosen) })
      return settings.shown
    },
    'results:open': async (name) => {
      const failure = await shell.openPath(await result(name))
      // No program is there for it.
      if (failure !== '') throw new AppError('internal', {}, { cause: new Error(failure) })
      return undefined
    },
    'results:show': async (name) => {
      shell.showItemInFolder(await result(name))
      return undefined
    },
    'results:save-as': async (name) => saveAs(window(), await result(name)),
    'site:open': async ({ path }) => {
      await openSite(path)
      return undefined
    },
    'quota:offline': async () => (await local).quota.offline(),
    'updates:state': () => updates.state,
    'updates:check': () => updates.check(),
    'updates:download': () => updates.download(),
    'updates:install': () => {
      updates.install()
      return undefined
    },
  }
}

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
    throw new AppError(codeOf(cause) === 'ENOSPC' ? 'storage.full' : 'storage.read-only', {}, { cause })
  })
  return true
}

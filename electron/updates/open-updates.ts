import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { Installer, Source, Workbench } from './installer.ts'
import { SignedUpdates, type UpdateSettings } from './updates.ts'

/** Where this build looks for newer versions and whose signature it trusts, put in when it is bundled; empty where its maker offers none. */
declare const BUILT_UPDATES_URL: string | undefined
declare const BUILT_UPDATES_KEY: string | undefined

/** A packed client takes them from nowhere but itself: who could name them could have it install anything. */
function source(): Source {
  if (!app.isPackaged) return { url: process.env['UPDATES_URL'] ?? '', key: process.env['UPDATES_KEY'] ?? '' }
  return {
    url: typeof BUILT_UPDATES_URL === 'string' ? BUILT_UPDATES_URL : '',
    key: typeof BUILT_UPDATES_KEY === 'string' ? BUILT_UPDATES_KEY : '',
  }
}

/** electron-builder puts this beside a packed client's archive. */
function workbench(folder: string): Workbench | undefined {
  if (app.isPackaged) return undefined
  const configPath = join(folder, 'app-update.yml')
  writeFileSync(configPath, 'provider: generic\nurl: https://update.invalid\nupdaterCacheDirName: qingtu-updater\n')
  return { configPath }
}

/** Newer versions of this client; undefined for one whose maker offers none. `folder` is its own. */
export function openUpdates(folder: string, { tell, log }: Omit<UpdateSettings, 'open'>): SignedUpdates | undefined {
  const from = source()
  if (from.url === '' || from.key === '') return undefined
  const open = async (): Promise<Installer> => (await import('./installer.ts')).openInstaller(from, log, workbench(folder))
  return new SignedUpdates({ open, tell, log })
}

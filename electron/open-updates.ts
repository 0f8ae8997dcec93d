import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { Log } from './log.ts'
import type { Source, Workbench } from './updates/installer.ts'
import { SignedUpdates } from './updates/updates.ts'
import type { UpdateState } from '#shared/desktop'

/** Where newer versions of this build are, and the key their manifests are signed by; put in when it is bundled, empty where it has none. */
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

/** What electron-builder lays beside a packed client's archive. */
function workbench(): Workbench | undefined {
  if (app.isPackaged) return undefined
  const configPath = join(app.getPath('userData'), 'app-update.yml')
  writeFileSync(configPath, 'provider: generic\nurl: https://update.invalid\nupdaterCacheDirName: qingtu-updater\n')
  return { configPath }
}

/** Newer versions: looked for, fetched and installed when somebody says so, and looked for now and then where that is wanted. */
export function openUpdates(tell: (state: UpdateState) => void, isWanted: () => boolean, log: Log): SignedUpdates {
  const from = source()
  const hasPlace = from.url !== '' && from.key !== ''
  const updates = new SignedUpdates({
    open: async () => {
      if (!hasPlace) throw new Error('this build was told of no place for updates')
      const { openInstaller } = await import('./updates/installer.ts')
      return openInstaller(from, log, workbench())
    },
    tell,
    log,
  })
  if (hasPlace) updates.watch(isWanted)
  return updates
}

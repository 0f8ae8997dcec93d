import type { Log } from './log.ts'
import { SignedUpdates } from './updates/updates.ts'
import type { UpdateState } from '#shared/desktop'

/** Where newer versions of this build are, and the key their manifests are signed by; put in when it is bundled, empty where it has none. */
declare const BUILT_UPDATES_URL: string | undefined
declare const BUILT_UPDATES_KEY: string | undefined

/** Newer versions: looked for, fetched and installed when somebody says so, and looked for now and then where that is wanted. */
export function openUpdates(tell: (state: UpdateState) => void, isWanted: () => boolean, log: Log): SignedUpdates {
  const url = typeof BUILT_UPDATES_URL === 'string' ? BUILT_UPDATES_URL : ''
  const key = typeof BUILT_UPDATES_KEY === 'string' ? BUILT_UPDATES_KEY : ''
  const updates = new SignedUpdates({
    open: async () => {
      if (url === '' || key === '') throw new Error('this build was told of no place for updates')
      const { openInstaller } = await import('./updates/installer.ts')
      return openInstaller({ url, key }, log)
    },
    tell,
    log,
  })
  if (url !== '' && key !== '') updates.watch(isWanted)
  return updates
}

import { atom } from 'jotai'
import { ask } from '../platform/ask.ts'
import { desktop } from '../platform/desktop.ts'
import { showMessage } from '../state/dialogs.ts'
import { store } from '../state/store.ts'
import { failureText } from '../text.ts'
import type { ClientSettings, OutputPlace, RequestOf, UpdateState } from '#shared/desktop'

/** What a person has set in the client; undefined until the main process has said. */
export const clientSettingsAtom = atom<ClientSettings | undefined>(undefined)
/** How an update stands. */
export const updateAtom = atom<UpdateState>({ at: 'idle' })

/** Reads what is set and how an update stands, and follows the latter from then on. */
export function startClientState(): void {
  void told('设置没有读取', async () => store.set(clientSettingsAtom, await ask('settings:read', undefined)))
  void told('', async () => store.set(updateAtom, await ask('updates:state', undefined)))
  desktop?.hear('update-changed', (state) => store.set(updateAtom, state))
}

/** Changes what is set. */
export const changeClientSettings = (change: RequestOf<'settings:change'>): Promise<void> =>
  told('设置没有保存', async () => store.set(clientSettingsAtom, await ask('settings:change', change)))

/** Has results go to a place; where that is one folder that is not chosen yet, it is asked for. */
export async function choosePlace(place: OutputPlace | 'other'): Promise<void> {
  const hasFolder = store.get(clientSettingsAtom)?.output.folder !== ''
  if (place !== 'other' && (place !== 'folder' || hasFolder)) return changeClientSettings({ place })
  return told('文件夹没有选好', async () => store.set(clientSettingsAtom, await ask('settings:choose-folder', undefined)))
}

/** Does what an update's button says. */
export const stepUpdate = (step: 'updates:check' | 'updates:download' | 'updates:install'): Promise<void> =>
  told('更新没有完成', async () => {
    const state = await ask(step, undefined)
    if (state) store.set(updateAtom, state)
  })

/** Opens a page of the website in the browser. */
export const openSite = (path: string): Promise<void> => told('网站没有打开', () => ask('site:open', { path }))

/** Does something; where it fails, a box says why, under a title, or nobody does where there is none. */
export async function told(title: string, doing: () => Promise<unknown>): Promise<void> {
  try {
    await doing()
  } catch (error) {
    if (title !== '') showMessage({ title, text: failureText(error), button: '我知道了' })
  }
}

/** Where results go, in words. */
export const placeText = ({ place, folder }: ClientSettings['output']): string =>
  ({ subfolder: '原图旁的“轻图”文件夹', beside: '与原图同一文件夹', folder: folder || '指定文件夹' })[place]

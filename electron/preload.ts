import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron'
import type { DESKTOP, Desktop, NewsOf } from '#shared/desktop'

// Only types are imported: what this script runs with, every frame's start waits for.
const name: typeof DESKTOP = 'qingtu'
const version = /--qingtu-version=([\w.-]+)/.exec(process.argv.join(' '))?.[1] ?? ''

const desktop: Desktop<File> = {
  version,
  ask: (channel, request) => {
    // Paths are named below, by what really was picked or dropped, and nowhere else.
    const wanted = String(channel)
    return wanted === 'files:grant' ? Promise.reject(new Error('refused')) : ipcRenderer.invoke(`ask:${wanted}`, request)
  },
  grant: (files) => {
    const placed = files.map(({ file, path }) => ({ file: webUtils.getPathForFile(file), ...(path !== undefined && { path }) }))
    return ipcRenderer.invoke('ask:files:grant', placed)
  },
  hear: (news, tell) => {
    const listener = (_event: IpcRendererEvent, told: unknown): void => tell(told as NewsOf<typeof news>) // main sends what the contract says
    const wanted = `tell:${news}`
    ipcRenderer.on(wanted, listener)
    return () => void ipcRenderer.removeListener(wanted, listener)
  },
}

contextBridge.exposeInMainWorld(name, desktop)

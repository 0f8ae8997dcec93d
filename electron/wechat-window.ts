import { BrowserWindow, type Session } from 'electron'
import { isOnTheWay, returnedTo, WECHAT_START } from './wechat-way.ts'

/** What a sign-in at WeChat takes. */
export interface WechatSignIn {
  readonly server: string
  /** The one that holds the session: the sign-in belongs to it. */
  readonly partition: Session
  readonly parent: BrowserWindow
  /** Told what came back, as the page's route is told it: a query. */
  readonly onReturn: (search: string) => void
}

/** Opens WeChat's page in a window of its own, with no preload script and nothing but the way there and back. */
export function openWechat({ server, partition, parent, onReturn }: WechatSignIn): BrowserWindow {
  const window = new BrowserWindow({
    parent,
    modal: true,
    width: 520,
    height: 640,
    title: '微信登录',
    autoHideMenuBar: true,
    minimizable: false,
    webPreferences: {
      session: partition,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      devTools: false,
    },
  })
  window.removeMenu()
  const { webContents: contents } = window
  const go = (event: { readonly url: string; readonly isMainFrame: boolean; preventDefault: () => void }): void => {
    if (!event.isMainFrame) return
    const search = returnedTo(event.url, server)
    if (search === undefined && isOnTheWay(event.url, server)) return
    event.preventDefault()
    if (search === undefined) return
    onReturn(search)
    window.destroy()
  }
  contents.on('will-frame-navigate', go)
  contents.on('will-redirect', go)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  // A redirect that was stopped counts as a load that failed.
  window.loadURL(server + WECHAT_START).catch(() => {})
  return window
}

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, dialog, ipcMain, Menu, safeStorage, session, shell, type BrowserWindow } from 'electron'
import { z } from 'zod/mini'
import { AccountNews } from './account-news.ts'
import { isOwn, originOf, serverAddress } from './address.ts'
import type { Arrivals } from './arguments.ts'
import { Attention } from './attention.ts'
import { Forwarder } from './forward.ts'
import { handlersOf } from './handlers.ts'
import { serveIpc, tell } from './ipc.ts'
import { LastAnswers } from './last-answers.ts'
import { interim, type Local } from './local.ts'
import { lockContents, lockSession } from './locks.ts'
import type { Log } from './log.ts'
import { menuOf } from './menu.ts'
import { noUpdates } from './no-updates.ts'
import { pagePolicy } from './policy.ts'
import { answerPage } from './protocol.ts'
import { ServerSession } from './server-session.ts'
import { Settings } from './settings.ts'
import { Vault } from './vault.ts'
import { mayOpen, sharedAddress } from './website.ts'
import { openWechat, WECHAT_START } from './wechat-window.ts'
import { bringUp, HOME, openWindow, placeOf } from './window.ts'
import { readSite } from '#shared/api/site'

/** Beside this script, once it is bundled: the preload script; and two folders up, the built page. */
const here = dirname(fileURLToPath(import.meta.url))
const siteFolder = join(here, '../site')

/** Crashes of the page after which it is not loaded again by itself. */
const CRASHES = 3
const CRASHES_WITHIN_MS = 60_000
const CLOSE_WITHIN_MS = 5000

/** What a client is opened with. */
export interface ClientStart {
  /** Settings, queue and logs. */
  readonly folder: string
  readonly server: string
  readonly arrivals: Arrivals
  readonly log: Log
}

/** The client: its window, and everything behind it. */
export class Client {
  readonly #start: ClientStart
  readonly #settings: Settings
  readonly #session: ServerSession
  readonly #last: LastAnswers
  readonly #attention: Attention
  readonly #local: Promise<Local>
  #news: AccountNews | undefined
  #window: BrowserWindow | undefined
  #isBusy = (): boolean => false

  constructor(start: ClientStart) {
    const { folder, server, log } = start
    this.#start = start
    this.#settings = new Settings(folder, log)
    const vault = new Vault(join(folder, 'kept'), sealOf(), log)
    this.#session = new ServerSession(server, session.fromPartition('server'), vault)
    this.#last = new LastAnswers(vault)
    this.#attention = new Attention(
      () => this.#window,
      () => this.#settings.shown.notify,
    )
    this.#local = this.#openLocal()
  }

  /** Opens the window. */
  async open(): Promise<void> {
    const { server, arrivals, log } = this.#start
    await this.#session.restore()
    const own = session.defaultSession
    lockSession(own, log)
    const answer = answerPage({
      siteFolder,
      server,
      local: { handle: async (request) => (await this.#local).handle(request) },
      forward: new Forwarder(this.#session, this.#last, log),
      policy: () => pagePolicy(server, this.#imageOrigins()),
      log,
    })
    own.protocol.handle('app', answer)
    const local = await this.#local
    const openSite = async (path: string): Promise<void> => shell.openExternal(await sharedAddress(this.#session, path))
    const window = (): BrowserWindow | undefined => this.#window
    serveIpc(
      ipcMain,
      () => this.#window?.webContents,
      handlersOf({ window, local, settings: this.#settings, arrivals, updates: noUpdates, openSite }),
      log,
    )
    this.#openMenu(openSite)
    this.#openWindow()
    this.#news = new AccountNews(this.#session, () => local.announceAccount())
    this.#session.onChange(() => this.#news?.renew())
  }

  bringUp(): void {
    if (this.#window) bringUp(this.#window)
  }

  /** Hands files to the page that came while it was there. */
  async take(files: readonly string[]): Promise<void> {
    const granted = await (await this.#local).open(files)
    this.bringUp()
    if (granted.length > 0) tell(this.#window?.webContents, 'files-arrived', [...granted])
  }

  /** Puts down what runs; what takes too long is ended with the process, and begun again by the next start. */
  async close(): Promise<void> {
    this.#news?.close()
    const local = await this.#local
    const all = Promise.allSettled([local.close(), this.#session.keep()])
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS))])
  }

  #openLocal(): Promise<Local> {
    this.#isBusy = () => interim.isBusy
    void this.#attention
    return Promise.resolve(interim)
  }

  #openWindow(): void {
    const { server, arrivals, log } = this.#start
    const window = openWindow(this.#settings.window, here)
    this.#window = window
    const { webContents: contents } = window
    lockContents(contents, { server, onLeave: (address) => this.#leave(address), log })
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) arrivals.deafen()
    })
    this.#followCrashes(window)
    window.on('close', (event) => {
      this.#settings.window = placeOf(window)
      if (this.#isBusy() && !mayEnd(window)) event.preventDefault()
    })
    window.on('closed', () => (this.#window = undefined))
    void window.loadURL(HOME).catch((error: unknown) => log('the page was not loaded', error))
  }

  /** A page that crashed comes again, unless it does nothing else. */
  #followCrashes({ webContents: contents }: BrowserWindow): void {
    let crashes: number[] = []
    contents.on('render-process-gone', (_event, { reason, exitCode }) => {
      this.#start.log(`the page is gone: ${reason} ${exitCode}`)
      if (reason === 'clean-exit') return
      crashes = [...crashes.filter((at) => at > Date.now() - CRASHES_WITHIN_MS), Date.now()]
      if (crashes.length <= CRASHES) contents.reload()
      else dialog.showErrorBox('轻图遇到问题', '页面多次意外关闭，请重新打开轻图。处理中的文件会继续。')
    })
  }

  #openMenu(openSite: (path: string) => Promise<void>): void {
    const { folder } = this.#start
    const actions = {
      command: (command: Parameters<typeof tell<'menu-command'>>[2]) => tell(this.#window?.webContents, 'menu-command', command),
      openSite: () => void openSite('/'),
      openLogs: () => void shell.openPath(join(folder, 'logs')),
      checkUpdates: () => {
        tell(this.#window?.webContents, 'menu-command', 'settings')
        void noUpdates.check()
      },
      quit: () => app.quit(),
    }
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(actions, app.isPackaged)))
  }

  /** Where the page wants to go: to sign in at WeChat, to the browser, or nowhere. */
  #leave(address: string): void {
    const { server, log } = this.#start
    if (isOwn(address)) {
      const { pathname, search } = new URL(address)
      if (pathname === WECHAT_START) return this.#signInAtWechat()
      if (pathname.startsWith('/sandbox/')) void shell.openExternal(serverAddress(server, pathname, search))
      return
    }
    if (mayOpen(address, server, this.#knownOrigins())) void shell.openExternal(address)
    else log(`${originOf(address) ?? 'an address'} was not opened`)
  }

  #signInAtWechat(): void {
    const { server } = this.#start
    const parent = this.#window
    if (!parent) return
    const onReturn = (search: string): void => tell(parent.webContents, 'wechat-returned', search)
    openWechat({ server, partition: session.fromPartition('server'), parent, onReturn })
  }

  /** What the operator says of the site, as far as it was ever heard. */
  #facts(): z.infer<typeof readSite.reply>['facts'] {
    const said = this.#last.say(`/api${readSite.path}`)
    const parsed = z.object({ data: readSite.reply }).safeParse(said === undefined ? undefined : JSON.parse(said))
    return parsed.success ? parsed.data.data.facts : {}
  }

  #imageOrigins(): readonly string[] {
    const { imageHost, serviceQr } = this.#facts()
    return httpsOrigins([imageHost, serviceQr])
  }

  #knownOrigins(): readonly string[] {
    const { imageHost, installer } = this.#facts()
    return httpsOrigins([imageHost, installer?.url])
  }
}

const httpsOrigins = (addresses: readonly (string | undefined)[]): readonly string[] =>
  addresses.flatMap((address) => (address?.startsWith('https:') ? [new URL(address).origin] : []))

/** What seals secrets, where the system has something that does more than hide them. */
function sealOf(): Electron.SafeStorage | undefined {
  const isSham = process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text'
  return !isSham && safeStorage.isEncryptionAvailable() ? safeStorage : undefined
}

/** Asks whether to end while files are at work. */
function mayEnd(window: BrowserWindow): boolean {
  const chosen = dialog.showMessageBoxSync(window, {
    type: 'question',
    title: '轻图',
    message: '还有文件正在处理',
    detail: '现在退出，没有完成的文件会在下次打开轻图时继续处理。',
    buttons: ['继续处理', '退出'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return chosen === 1
}

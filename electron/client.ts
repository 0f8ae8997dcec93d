import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, dialog, ipcMain, Menu, safeStorage, session, shell, type BrowserWindow } from 'electron'
import { AccountNews } from './account-news.ts'
import type { Arrivals } from './arguments.ts'
import { Attention } from './attention.ts'
import { Forwarder } from './forward.ts'
import { handlersOf } from './handlers.ts'
import { serveIpc, tell } from './ipc.ts'
import { LastAnswers } from './last-answers.ts'
import { leave } from './leaving.ts'
import { lockContents, lockSession } from './locks.ts'
import type { Log } from './log.ts'
import { menuOf, type MenuActions } from './menu.ts'
import { openLocal, type LocalWork } from './open-local.ts'
import { openUpdates } from './open-updates.ts'
import { pagePolicy } from './policy.ts'
import { answerPage } from './protocol.ts'
import { ServerSession } from './server-session.ts'
import { Settings } from './settings.ts'
import { namedHosts } from './site-facts.ts'
import type { SignedUpdates } from './updates/updates.ts'
import { Vault, type Seal } from './vault.ts'
import { sharedAddress } from './website.ts'
import { bringUp, HOME, mayEnd, openWindow, placeOf } from './window.ts'
import type { MenuCommand, NewsName, NewsOf } from '#shared/desktop'
import { deviceName } from '#shared/device-name'

/** Beside this script, once it is bundled, are the others; one folder up and down again, the built page. */
const here = dirname(fileURLToPath(import.meta.url))

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
  readonly #partition = session.fromPartition('server')
  readonly #session: ServerSession
  readonly #last: LastAnswers
  readonly #seal = sealOf()
  /** Opened while the page is being loaded. */
  readonly #local: Promise<LocalWork>
  readonly #updates: SignedUpdates
  #isBusy = (): boolean => false
  #news: AccountNews | undefined
  #window: BrowserWindow | undefined

  constructor(start: ClientStart) {
    const { folder, server, log } = start
    this.#start = start
    this.#settings = new Settings(folder, log)
    const vault = new Vault(join(folder, 'kept'), this.#seal, log)
    this.#session = new ServerSession(server, this.#partition, vault, deviceName(app.userAgentFallback))
    this.#last = new LastAnswers(vault)
    this.#updates = openUpdates(
      (state) => this.#tell('update-changed', state),
      () => this.#settings.shown.updates,
      log,
    )
    this.#local = this.#session.restore().then(() => this.#openLocal())
  }

  /** Opens the window. */
  async open(): Promise<void> {
    const { server, log } = this.#start
    const own = session.defaultSession
    lockSession(own, log)
    const answer = answerPage({
      siteFolder: join(here, '../site'),
      noticesFile: join(app.isPackaged ? process.resourcesPath : join(here, '..'), 'third-party-notices.txt'),
      server,
      local: { handle: async (request) => (await this.#local).jobs.handle(request) },
      forward: new Forwarder(this.#session, this.#last, log),
      policy: () => pagePolicy(server, namedHosts(this.#last).pictures),
      log,
    })
    own.protocol.handle('app', answer)
    this.#serve()
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(this.#menuActions(), app.isPackaged)))
    this.#openWindow()
    const { jobs, quota } = await this.#local
    const announce = (): void => {
      jobs.announceAccount()
      void quota.renew()
    }
    quota.listen((state) => this.#tell('offline-changed', state))
    this.#news = new AccountNews(this.#session, announce)
    this.#session.onChange(() => this.#news?.renew())
  }

  bringUp(): void {
    if (this.#window) bringUp(this.#window)
  }

  /** Hands files to the page that came while it was there. */
  async take(files: readonly string[]): Promise<void> {
    const granted = await (await this.#local).jobs.open(files)
    this.bringUp()
    if (granted.length > 0) this.#tell('files-arrived', [...granted])
  }

  /** Puts down what runs; what takes too long is ended with the process, and begun again by the next start. */
  async close(): Promise<void> {
    this.#news?.close()
    const all = Promise.allSettled([this.#closeLocal(), this.#session.keep()])
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS))])
  }

  async #closeLocal(): Promise<void> {
    const { jobs, quota } = await this.#local
    await jobs.close()
    await quota.close()
  }

  #tell<Name extends NewsName>(name: Name, told: NewsOf<Name>): void {
    tell(this.#window?.webContents, name, told)
  }

  async #openLocal(): Promise<LocalWork> {
    const { folder, log } = this.#start
    const attention = new Attention(
      () => this.#window,
      () => this.#settings.shown.notify,
    )
    const work = await openLocal({
      folder,
      session: this.#session,
      settings: this.#settings,
      seal: this.#seal,
      script: join(here, 'engine-child.js'),
      picturesFolder: () => app.getPath('pictures'),
      onChange: (state) => attention.follow(state),
      log,
    })
    this.#isBusy = () => work.jobs.isBusy
    return work
  }

  #serve(): void {
    const { arrivals, log } = this.#start
    const local = this.#local
    const handlers = handlersOf({
      window: () => this.#window,
      local,
      settings: this.#settings,
      arrivals,
      updates: this.#updates,
      openSite: (path) => this.#openSite(path),
    })
    serveIpc(ipcMain, () => this.#window?.webContents, handlers, log)
  }

  async #openSite(path: string): Promise<void> {
    await shell.openExternal(await sharedAddress(this.#session, path))
  }

  #menuActions(): MenuActions {
    return {
      command: (command: MenuCommand) => this.#tell('menu-command', command),
      openSite: () => void this.#openSite('/'),
      openLogs: () => void shell.openPath(join(this.#start.folder, 'logs')),
      checkUpdates: () => {
        this.#tell('menu-command', 'settings')
        void this.#updates.check()
      },
      quit: () => app.quit(),
    }
  }

  #openWindow(): void {
    const { server, arrivals, log } = this.#start
    const window = openWindow(this.#settings.window, here)
    this.#window = window
    const { webContents: contents } = window
    const onWechat = (search: string): void => this.#tell('wechat-returned', search)
    const leaving = { server, partition: this.#partition, window, hosts: () => namedHosts(this.#last).pages, onWechat, log }
    lockContents(contents, { server, onLeave: (address) => leave(leaving, address), log })
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
      // While the event is told there is no process yet that could load it.
      if (crashes.length <= CRASHES) setTimeout(() => contents.isDestroyed() || contents.reload(), 100)
      else dialog.showErrorBox('轻图遇到问题', '页面多次意外关闭，请重新打开轻图。处理中的文件会继续。')
    })
  }
}

/** What seals secrets, where the system has something that does more than hide them. */
function sealOf(): Seal | undefined {
  const isSham = process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text'
  return !isSham && safeStorage.isEncryptionAvailable() ? safeStorage : undefined
}

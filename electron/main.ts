import { app, dialog, protocol } from 'electron'
import { join } from 'node:path'
import { serverOrigin } from './address.ts'
import { Arrivals, filesHanded, filesNamed } from './arguments.ts'
import { Client } from './client.ts'
import { openLog } from './log.ts'
import { CLIENT_ORIGIN } from '#shared/desktop'

/** As the installer registers it, so that the task bar and notifications know whose they are. */
const APP_ID = 'com.qingtu.client'
/** The system starts the client once for each file of a selection. */
const GATHER_MS = 250

function start(): void {
  const files = filesNamed(process.argv, process.cwd(), app.isPackaged)
  // One client at a time has the folder, its queue and its session; another start hands it what it was started with.
  if (!app.requestSingleInstanceLock({ files })) return app.quit()
  const folder = app.getPath('userData')
  const log = openLog(join(folder, 'logs'))
  process.on('uncaughtException', (error) => log('uncaught', error))
  process.on('unhandledRejection', (reason) => log('unhandled rejection', reason))
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => log(`a process of ${type} is gone: ${reason} ${exitCode}`))
  const scheme = new URL(CLIENT_ORIGIN).protocol.replace(':', '')
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
  ])
  app.setAppUserModelId(APP_ID)
  // Old pages' sakes are none of ours; the server names computers by this.
  app.userAgentFallback = `${app.userAgentFallback.replace(/ (?:\S*qingtu|Electron)\/\S+/gi, '')} QingtuClient/${app.getVersion()}`
  const arrivals = new Arrivals(GATHER_MS, (arrived) => void client?.take(arrived))
  arrivals.add(files)
  let client: Client | undefined
  app.on('second-instance', (_event, _argv, _folder, given) => {
    client?.bringUp()
    arrivals.add(filesHanded(given))
  })
  app.on('window-all-closed', () => app.quit())
  const open = async (): Promise<void> => {
    await app.whenReady()
    log(`started ${app.getVersion()} on ${process.platform} ${process.getSystemVersion()}, Electron ${process.versions.electron}`)
    client = new Client({ folder, server: serverOrigin(process.env['QINGTU_SERVER']), arrivals, log })
    await client.open()
  }
  open().catch((error: unknown) => {
    log('the client did not start', error)
    dialog.showErrorBox('轻图无法启动', error instanceof Error ? error.message : String(error))
    app.exit(1)
  })
  endWell(() => client)
}

/** Ends only after what runs was put down, to be taken up again by the next start. */
function endWell(client: () => Client | undefined): void {
  let hasClosed = false
  app.on('will-quit', (event) => {
    if (hasClosed) return
    event.preventDefault()
    const closing = client()?.close() ?? Promise.resolve()
    void closing.finally(() => {
      hasClosed = true
      app.quit()
    })
  })
}

start()

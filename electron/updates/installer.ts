import type { AppUpdater, ProgressInfo, ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater'
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'
import { MANIFEST, readManifest, SIGNATURE } from './manifest.ts'
import type { Log } from '../log.ts'

/** Where newer versions are, and by which key their manifests are signed. */
export interface Source {
  /** The folder of the manifest, an https address. */
  readonly url: string
  /** The 32 bytes of a public Ed25519 key in base64url. */
  readonly key: string
}

/** What finds, fetches and starts an installer. */
export interface Installer {
  /** The newer version there is; undefined where this is the newest. */
  find(): Promise<string | undefined>
  /** Fetches what was found, and throws unless it is what the manifest vouches for. */
  fetch(tell: (fraction: number) => void): Promise<void>
  /** Ends the client and starts what was fetched. */
  install(): void
}

/** Where a client that runs from its sources keeps what a packed one has beside its archive. */
export interface Workbench {
  readonly configPath: string
}

function configure(updater: AppUpdater, log: Log, bench: Workbench | undefined): void {
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.allowPrerelease = false
  // Only whole installers have a SHA-512 that is vouched for.
  updater.disableDifferentialDownload = true
  updater.disableWebInstaller = true
  const tell = (message?: unknown): void => log(`update: ${String(message)}`)
  updater.logger = { info: tell, warn: tell, error: tell }
  // Failures are answers of the calls that fail; without a listener they would be thrown once more.
  updater.on('error', () => {})
  if (!bench) return
  updater.forceDevUpdateConfig = true
  updater.updateConfigPath = bench.configPath
}

/** electron-updater, fed with manifests that are signed. It is loaded only when somebody asks. */
export async function openInstaller({ url, key }: Source, log: Log, bench?: Workbench): Promise<Installer> {
  const { NsisUpdater, Provider } = await import('electron-updater')
  const folder = new URL(url.endsWith('/') ? url : `${url}/`)

  let vouched: UpdateInfo | undefined

  class SignedProvider extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime)
    }

    async #text(name: string): Promise<string> {
      const text = await this.httpRequest(new URL(`${name}?at=${Date.now()}`, folder))
      if (text === null) throw new Error(`${name} is not there`)
      return text
    }

    async getLatestVersion(): Promise<UpdateInfo> {
      const [text, signature] = await Promise.all([this.#text(MANIFEST), this.#text(SIGNATURE)])
      vouched = readManifest(text, signature, key)
      return vouched
    }

    resolveFiles({ files }: UpdateInfo): ResolvedUpdateFileInfo[] {
      return files.map((info) => ({ url: new URL(info.url, folder), info }))
    }
  }

  const updater = new NsisUpdater()
  configure(updater, log, bench)
  // Last, since a path of a configuration takes its place by what stands there, which nobody has signed.
  updater.setFeedURL({ provider: 'custom', updateProvider: SignedProvider })
  return {
    find: async () => {
      const found = await updater.checkForUpdates()
      if (found?.updateInfo !== vouched) throw new Error('what was found is not what was signed')
      return found?.isUpdateAvailable === true ? found.updateInfo.version : undefined
    },
    fetch: async (tell) => {
      const follow = ({ percent }: ProgressInfo): void => tell(percent / 100)
      updater.on('download-progress', follow)
      try {
        await updater.downloadUpdate()
      } finally {
        updater.off('download-progress', follow)
      }
    },
    // Seen, not silent: a person asked for it. Then the new version starts.
    install: () => updater.quitAndInstall(false, true),
  }
}

import type { Installer } from './installer.ts'
import type { Log } from '../log.ts'
import type { UpdateState } from '#shared/desktop'

/** The first look after a start, once what a person came for is done. */
const FIRST_MS = 60_000
const AGAIN_MS = 12 * 3600_000

/** What updates are told and asked with. */
export interface UpdateSettings {
  /** Opens what finds and fetches; asked once, at the first look. */
  readonly open: () => Promise<Installer>
  /** Hears of every change. */
  readonly tell: (state: UpdateState) => void
  readonly log: Log
}

/** Newer versions of the client: looked for, fetched, installed, each only when somebody says so. */
export class SignedUpdates {
  readonly #settings: UpdateSettings
  #installer: Promise<Installer> | undefined
  #state: UpdateState = { at: 'idle' }

  constructor(settings: UpdateSettings) {
    this.#settings = settings
  }

  get state(): UpdateState {
    return this.#state
  }

  /** Looks for a newer version; what is under way or ready stays as it is. */
  async check(): Promise<UpdateState> {
    const { at } = this.#state
    if (at === 'checking' || at === 'downloading' || at === 'ready') return this.#state
    this.#enter({ at: 'checking' })
    return this.#attempt(async (installer) => {
      const version = await installer.find()
      return version === undefined ? { at: 'current' } : { at: 'found', version }
    })
  }

  /** Fetches what was found. */
  async download(): Promise<UpdateState> {
    if (this.#state.at !== 'found') return this.#state
    const { version } = this.#state
    this.#enter({ at: 'downloading', version, fraction: 0 })
    return this.#attempt(async (installer) => {
      await installer.fetch((fraction) => this.#enter({ at: 'downloading', version, fraction }))
      return { at: 'ready', version }
    })
  }

  /** Ends the client and installs what is ready. */
  install(): void {
    if (this.#state.at === 'ready') void this.#opened().then((installer) => installer.install())
  }

  /** Looks from time to time for as long as it is wanted; ends with the returned function. */
  watch(isWanted: () => boolean): () => void {
    const look = (): void => {
      if (isWanted()) void this.check()
    }
    const first = setTimeout(look, FIRST_MS)
    const again = setInterval(look, AGAIN_MS)
    return () => {
      clearTimeout(first)
      clearInterval(again)
    }
  }

  #opened(): Promise<Installer> {
    return (this.#installer ??= this.#settings.open())
  }

  async #attempt(work: (installer: Installer) => Promise<UpdateState>): Promise<UpdateState> {
    try {
      return this.#enter(await work(await this.#opened()))
    } catch (error) {
      this.#settings.log('the update failed', error)
      return this.#enter({ at: 'failed' })
    }
  }

  #enter(state: UpdateState): UpdateState {
    this.#state = state
    this.#settings.tell(state)
    return state
  }
}

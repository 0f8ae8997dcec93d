import { readFile, rename } from 'node:fs/promises'
import { nothingKept, quotaState, tidied, type QuotaState } from './state.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { Log } from '../log.ts'
import type { Seal } from '../vault.ts'
import { codeOf } from '#engine/failures'

/**
 * The state on disk, replaced as a whole: whenever the client is killed, the file is what it was before or after. Changes made at the same time
 * share a write. Without a seal the pass is not written at all, and ends with the client.
 */
export class StateFile {
  readonly #path: string
  readonly #seal: Seal | undefined
  #state: QuotaState
  #writing: Promise<void> | undefined
  #next: Promise<void> | undefined

  private constructor(path: string, seal: Seal | undefined, state: QuotaState) {
    this.#path = path
    this.#seal = seal
    this.#state = state
  }

  /** Reads what was kept. A file that was changed, or is another's, is worth nothing: it is put aside, and `log` hears of it. */
  static async open(path: string, seal: Seal | undefined, log: Log): Promise<StateFile> {
    const bytes = await readFile(path).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    })
    if (!bytes) return new StateFile(path, seal, nothingKept)
    try {
      return new StateFile(path, seal, quotaState.parse(JSON.parse(seal ? seal.decryptString(bytes) : bytes.toString())))
    } catch (error) {
      log('what was kept of quota can not be read', error)
      await rename(path, `${path}.unreadable`)
      return new StateFile(path, seal, nothingKept)
    }
  }

  get state(): QuotaState {
    return this.#state
  }

  /** Changes the state; resolves once it is one that outlives a power cut. */
  change(to: QuotaState): Promise<void> {
    // Nothing new, and perhaps still on its way.
    if (to === this.#state) return this.#next ?? this.#writing ?? Promise.resolve()
    this.#state = tidied(to)
    this.#next ??= this.#writeNext()
    return this.#next
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await (this.#next ?? this.#writing)?.catch(() => {}) // whoever changed it was told
  }

  async #writeNext(): Promise<void> {
    await this.#writing?.catch(() => {})
    // From here on changes need a write of their own.
    this.#next = undefined
    this.#writing = this.#write()
    return this.#writing
  }

  #write(): Promise<void> {
    const { pass: _pass, key: _key, ...unsealed } = this.#state
    return replaceFile(
      this.#path,
      this.#seal ? this.#seal.encryptString(JSON.stringify(this.#state)) : Buffer.from(JSON.stringify(unsealed)),
    )
  }
}

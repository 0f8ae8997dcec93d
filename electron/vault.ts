import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from './log.ts'
import { codeOf } from '#engine/failures'

/** Closes texts so that only this person on this computer opens them, and knows them again when they were changed: DPAPI on Windows. */
export interface Seal {
  encryptString(text: string): Buffer
  /** Throws for what was not sealed here. */
  decryptString(sealed: Buffer): string
}

/** Texts nobody else on the computer may read, kept from one start to the next; without a seal, for as long as the client runs. */
export class Vault {
  readonly #folder: string
  readonly #seal: Seal | undefined
  readonly #log: Log
  readonly #texts = new Map<string, string>()

  constructor(folder: string, seal: Seal | undefined, log: Log) {
    this.#folder = folder
    this.#seal = seal
    this.#log = log
    if (!seal) log('nothing seals secrets here: the sign-in lasts until the client ends')
  }

  /** What was kept under a name; undefined where nothing was, or it can't be opened any more. */
  read(name: string): string | undefined {
    const known = this.#texts.get(name)
    if (known !== undefined || !this.#seal) return known
    try {
      const text = this.#seal.decryptString(readFileSync(this.#file(name)))
      this.#texts.set(name, text)
      return text
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#log(`what was kept as ${name} can't be opened`, error)
      return undefined
    }
  }

  /** Keeps a text; undefined forgets it. */
  write(name: string, text: string | undefined): void {
    if (text === this.#texts.get(name) && text !== undefined) return
    if (text === undefined) this.#texts.delete(name)
    else this.#texts.set(name, text)
    if (!this.#seal) return
    try {
      if (text === undefined) return rmSync(this.#file(name), { force: true })
      mkdirSync(this.#folder, { recursive: true })
      writeFileSync(`${this.#file(name)}.new`, this.#seal.encryptString(text), { mode: 0o600, flush: true })
      renameSync(`${this.#file(name)}.new`, this.#file(name))
    } catch (error) {
      this.#log(`${name} was not kept`, error)
    }
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.sealed`)
  }
}

import { open, readFile, type FileHandle } from 'node:fs/promises'
import { replaceFile } from '../files/replace-file.ts'
import { codeOf } from '#engine/failures'

/** A journal much longer than what it says is written anew; below this it is short enough. */
const SHORT_BYTES = 1024 ** 2

interface Waiting {
  readonly line: string
  readonly isSynced: boolean
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Lines appended to a file. One file for all jobs, not one for each: a call of two hundred jobs is one line, so all of them are accepted or
 * none is, and it takes one wait for the disk; whatever happens at the same time shares that wait. A line that was cut off says nothing.
 */
export class Journal {
  readonly #path: string
  #file: FileHandle | undefined
  #bytes = 0
  /** Its length when it was last written anew. */
  #shortest = 0
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined

  private constructor(path: string) {
    this.#path = path
  }

  /** Opens a journal and reads what it says. `shorten` gives the lines that say the same in short, to begin anew with. */
  static async open(path: string, shorten: (lines: readonly unknown[]) => readonly unknown[]): Promise<Journal> {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return ''
      throw error
    })
    const journal = new Journal(path)
    await journal.rewrite(() => shorten(text.split('\n').flatMap(parsed)))
    return journal
  }

  /** Appends a line. Resolves once it can't be lost: by the end of this process, or where `isSynced` by that of the computer. */
  append(line: unknown, isSynced: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(line)}\n`, isSynced, resolve, reject })
      this.#pump()
    })
  }

  /** Whether it has become so long that `rewrite` is worth while. */
  get isLong(): boolean {
    return this.#bytes > SHORT_BYTES + 4 * this.#shortest
  }

  /** Puts these lines in the place of all, at once. `lines` is asked when nothing is on its way. */
  async rewrite(lines: () => readonly unknown[]): Promise<void> {
    while (this.#writing) await this.#writing
    const rewriting = this.#rewrite(lines())
    // What is appended meanwhile comes after it.
    this.#hold(rewriting.catch(() => {}))
    return rewriting
  }

  async close(): Promise<void> {
    while (this.#writing) await this.#writing
    await this.#file?.close()
    this.#file = undefined
  }

  #pump(): void {
    if (this.#writing === undefined && this.#waiting.length > 0) this.#hold(this.#writeAll())
  }

  /** Nothing else is written until this is through. */
  #hold(writing: Promise<void>): void {
    this.#writing = writing.finally(() => {
      this.#writing = undefined
      this.#pump()
    })
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      try {
        await this.#write(
          group.map(({ line }) => line).join(''),
          group.some(({ isSynced }) => isSynced),
        )
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
  }

  async #write(text: string, isSynced: boolean): Promise<void> {
    const file = (this.#file ??= await open(this.#path, 'a', 0o600))
    const bytes = Buffer.from(text)
    try {
      await file.appendFile(bytes)
      if (isSynced) await file.datasync()
      this.#bytes += bytes.length
    } catch (error) {
      // Half a line would swallow the one after it: what was there before stays, and nothing of these.
      await file.truncate(this.#bytes).catch(() => {})
      throw error
    }
  }

  async #rewrite(lines: readonly unknown[]): Promise<void> {
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    // Windows renames over no open file.
    await this.#file?.close()
    this.#file = undefined
    await replaceFile(this.#path, bytes)
    this.#bytes = bytes.length
    this.#shortest = bytes.length
  }
}

/** A line's value, or none where it was cut off. */
function parsed(line: string): readonly unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)]
  } catch {
    return []
  }
}

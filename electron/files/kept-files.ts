import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isInside } from './path-rules.ts'
import { AppError } from '#shared/errors/app-error'
import { safeName } from '#shared/names'

/** What is pasted is a picture of a screen, seldom more. */
const MOST_BYTES = 200 * 1024 ** 2

/** Files that lie nowhere else, pasted pictures: kept in a folder of the client's own, each in one of its own so that it keeps its name. */
export class KeptFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Keeps bytes under a name; the path. Throws `file.too-large` or `file.empty`. */
  async keep(name: string, bytes: Uint8Array): Promise<string> {
    if (bytes.length === 0) throw new AppError('file.empty', {})
    if (bytes.length > MOST_BYTES) throw new AppError('file.too-large', { limitBytes: MOST_BYTES })
    const own = join(this.#folder, randomBytes(9).toString('base64url'))
    await mkdir(own, { recursive: true })
    const path = join(own, safeName(name))
    await writeFile(path, bytes, { flag: 'wx' })
    return path
  }

  has(path: string): boolean {
    return isInside(path, this.#folder)
  }

  /** Removes a file that was kept; all others stay. */
  async remove(path: string): Promise<void> {
    if (this.has(path)) await rm(dirname(path), { recursive: true, force: true })
  }

  /** Removes all that nobody needs. */
  async sweep(needed: Iterable<string>): Promise<void> {
    const stays = new Set([...needed].filter((path) => this.has(path)).map((path) => basename(dirname(path))))
    for (const name of await readdir(this.#folder).catch(() => [])) {
      if (!stays.has(name)) await rm(join(this.#folder, name), { recursive: true, force: true })
    }
  }
}

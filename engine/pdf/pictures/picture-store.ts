import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredPicture } from '../page-model.ts'
import type { Encoded } from './encode-picture.ts'
import type { Size } from '#shared/resize'

/** What identifies content: the same has the same, other content another. */
export const digestOf = (...parts: readonly (Uint8Array | string)[]): string => {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** A document's pictures as files in a folder, each once. */
export class PictureStore {
  readonly #folder: string
  readonly #kept = new Map<string, Promise<StoredPicture>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The file of what `key` identifies, made when it is first asked for. */
  keep(key: string, make: () => Promise<Encoded & Size>): Promise<StoredPicture> {
    const kept = this.#kept.get(key)
    if (kept) return kept
    const stored = this.#write(this.#kept.size + 1, make)
    this.#kept.set(key, stored)
    return stored
  }

  async #write(number: number, make: () => Promise<Encoded & Size>): Promise<StoredPicture> {
    const { format, bytes, width, height } = await make()
    const path = join(this.#folder, `picture-${number}.${format === 'jpeg' ? 'jpg' : 'png'}`)
    await writeFile(path, bytes)
    return { path, format, width, height, bytes: bytes.length }
  }
}

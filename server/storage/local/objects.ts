import { readdir, rmdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Disk } from './disk.ts'
import { folderNames, objectNames, segmentOf } from './object-key.ts'
import { isMissing } from './oss-error.ts'
import { openStored, readStored, type StoredFile } from './stored-file.ts'

interface Entry {
  readonly name: string
  /** A folder's ends in a slash. */
  readonly key: string
}

const byKey = (one: Entry, other: Entry): number => (one.key < other.key ? -1 : 1)

/** Objects as files in nested folders, so that a prefix is listed in key order without an index beside them. */
export class Objects {
  readonly #disk: Disk

  constructor(disk: Disk) {
    this.#disk = disk
  }

  pathOf(key: string): string {
    return this.#disk.path('objects', ...objectNames(key))
  }

  open(key: string): ReturnType<typeof openStored> {
    return openStored(this.pathOf(key))
  }

  read(key: string): Promise<StoredFile | undefined> {
    return readStored(this.pathOf(key))
  }

  /** Removes an object, and the folders it leaves empty. A removal undone by a power cut is found by the next sweep, so it is not synced. */
  async remove(key: string): Promise<void> {
    const path = this.pathOf(key)
    try {
      await unlink(path)
    } catch (thrown) {
      if (isMissing(thrown)) return
      throw thrown
    }
    await this.#prune(dirname(path))
  }

  /** Keys with a prefix, after a key, in the order of their bytes. */
  async *keys(prefix: string, after: string): AsyncGenerator<string> {
    if (!/^[A-Za-z0-9._/-]*$/.test(prefix)) return
    yield* this.#walk(prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix, after)
  }

  async *#walk(base: string, prefix: string, after: string): AsyncGenerator<string> {
    for (const { key } of await this.#entries(base)) {
      const isFolder = key.endsWith('/')
      if (isFolder && (key.startsWith(prefix) || prefix.startsWith(key)) && (key >= after || after.startsWith(key)))
        yield* this.#walk(key, prefix, after)
      if (!isFolder && key.startsWith(prefix) && key > after) yield key
    }
  }

  async #entries(base: string): Promise<Entry[]> {
    try {
      const names = await readdir(this.#disk.path('objects', ...folderNames(base)))
      const entries = names.flatMap((name) => {
        const segment = segmentOf(name)
        return segment === undefined ? [] : [{ name, key: base + segment }]
      })
      return entries.toSorted(byKey)
    } catch (thrown) {
      if (isMissing(thrown)) return []
      throw thrown
    }
  }

  async #prune(from: string): Promise<void> {
    const top = this.#disk.path('objects')
    try {
      for (let folder = from; folder !== top; folder = dirname(folder)) await rmdir(folder)
    } catch {
      // Not empty, or removed by another: what is left is in use.
    }
  }
}

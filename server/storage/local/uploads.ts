import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import type { Disk } from './disk.ts'
import { isMissing, OssError } from './oss-error.ts'
import { openStored, readStored, type Facts, type StoredFile } from './stored-file.ts'

export interface Part extends StoredFile {
  readonly number: number
}

export interface Upload {
  readonly id: string
  readonly key: string
  readonly facts: Facts
}

export const noSuchUpload = (cause?: unknown): OssError =>
  new OssError('NoSuchUpload', 'The specified upload does not exist. It may have been completed or aborted.', { cause })

/** Uploads in parts: a folder each, with a file that says what it is for, and a file a part. */
export class Uploads {
  readonly #disk: Disk
  /** Bytes of the parts stored or under way, by upload and number, so that parallel ones share the object's limit. */
  readonly #bytes = new Map<string, Map<number, number>>()
  readonly #turns = new Map<string, Promise<unknown>>()

  private constructor(disk: Disk) {
    this.#disk = disk
  }

  /** Opens the uploads of a folder, without those a killed process had only begun to begin. */
  static async open(disk: Disk): Promise<Uploads> {
    const uploads = new Uploads(disk)
    for (const id of await readdir(disk.path('uploads'))) {
      const stored = await readStored(uploads.#path(id, 'upload')).catch(() => undefined)
      if (!stored) await rm(uploads.#path(id), { recursive: true, force: true })
    }
    return uploads
  }

  async begin(facts: Facts & { readonly key: string }): Promise<string> {
    const id = randomBytes(16).toString('hex').toUpperCase()
    await mkdir(this.#path(id))
    try {
      await this.#disk.write(
        none(),
        () => facts,
        (temp) => this.#disk.placeInFolder(temp, this.#path(id, 'upload')),
      )
    } catch (thrown) {
      await rm(this.#path(id), { recursive: true, force: true })
      throw thrown
    }
    return id
  }

  /** An upload under way. Throws NoSuchUpload, also where it is for another key. */
  async find(id: string, key: string): Promise<Upload> {
    const stored = /^[0-9A-F]{32}$/.test(id) ? await readStored(this.#path(id, 'upload')) : undefined
    if (stored?.facts.key !== key) throw noSuchUpload()
    return { id, key, facts: stored.facts }
  }

  /** Counts a part against the object's limit before it is received. A part sent again replaces its earlier count. */
  async reserve(id: string, number: number, bytes: number, limitBytes: number): Promise<void> {
    const counted = this.#bytes.get(id) ?? new Map((await this.parts(id)).map((part) => [part.number, part.bytes]))
    const known = this.#bytes.get(id) ?? counted
    this.#bytes.set(id, known)
    const others = [...known].reduce((sum, [other, size]) => (other === number ? sum : sum + size), 0)
    if (others + bytes > limitBytes) throw new OssError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size.')
    known.set(number, bytes)
  }

  async storePart(id: string, number: number, chunks: AsyncIterable<Uint8Array>, facts: () => Facts): Promise<Facts> {
    try {
      return await this.#disk.write(chunks, facts, (temp) => this.#disk.placeInFolder(temp, this.#path(id, `part-${number}`)))
    } catch (thrown) {
      throw isMissing(thrown) ? noSuchUpload(thrown) : thrown
    }
  }

  openPart(id: string, number: number): ReturnType<typeof openStored> {
    return openStored(this.#path(id, `part-${number}`))
  }

  async part(id: string, number: number): Promise<Part | undefined> {
    const stored = await readStored(this.#path(id, `part-${number}`))
    return stored && { ...stored, number }
  }

  /** The parts stored so far, by number. */
  async parts(id: string): Promise<Part[]> {
    const parts: Part[] = []
    for (const name of await readdirOrNone(this.#path(id))) {
      const number = Number(/^part-(\d+)$/.exec(name)?.[1])
      const part = Number.isNaN(number) ? undefined : await this.part(id, number)
      if (part) parts.push(part)
    }
    return parts.toSorted((one, other) => one.number - other.number)
  }

  /** All uploads under way with a prefix, by key and id. */
  async all(prefix: string): Promise<Upload[]> {
    const uploads: Upload[] = []
    for (const id of await readdir(this.#disk.path('uploads'))) {
      const stored = await readStored(this.#path(id, 'upload'))
      const key = stored?.facts.key
      if (stored && key?.startsWith(prefix)) uploads.push({ id, key, facts: stored.facts })
    }
    return uploads.toSorted((one, other) => (`${one.key}\0${one.id}` < `${other.key}\0${other.id}` ? -1 : 1))
  }

  async discard(id: string): Promise<void> {
    this.#bytes.delete(id)
    try {
      await this.#disk.discard(this.#path(id))
    } catch (thrown) {
      throw isMissing(thrown) ? noSuchUpload(thrown) : thrown
    }
  }

  /** Works on an upload after whoever does so already: a client that lost the answer asks again while the first is still joining. */
  async inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(id)
    const turn = (async () => {
      await before?.catch(() => {})
      return work()
    })()
    this.#turns.set(id, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(id) === turn) this.#turns.delete(id)
    }
  }

  #path(...names: string[]): string {
    return this.#disk.path('uploads', ...names)
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}

async function readdirOrNone(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (thrown) {
    if (isMissing(thrown)) return []
    throw thrown
  }
}

import { resultPrefix, uploadPrefix } from './keys.ts'
import type { ObjectStore } from '../storage/object-store.ts'

const FRESH_MS = 30_000
/** Bytes of all of an identity's files together. */
export const MAX_STORED_BYTES = 2 * 1024 ** 3

interface Count {
  readonly takenAt: number
  readonly bytes: number
}

/** What an identity's files take up, counted at most every half minute; uploads in between are added as they come. */
export class StoredBytes {
  readonly #store: ObjectStore
  readonly #counts = new Map<string, Promise<Count>>()
  readonly #coming = new Map<string, number>()

  constructor(store: ObjectStore) {
    this.#store = store
  }

  async of(identityId: string, now: number): Promise<number> {
    const known = await this.#counts.get(identityId)?.catch(() => undefined)
    if (known && now - known.takenAt < FRESH_MS) return known.bytes + (this.#coming.get(identityId) ?? 0)
    if (this.#counts.size > 10_000) this.forget()
    const counting = this.#count(identityId, now)
    this.#counts.set(identityId, counting)
    this.#coming.delete(identityId)
    return (await counting).bytes
  }

  /** Whether an upload on its way still fits; counts it in when it does. */
  async admit(identityId: string, bytes: number, now: number): Promise<boolean> {
    if ((await this.of(identityId, now)) + bytes > MAX_STORED_BYTES) return false
    this.#coming.set(identityId, (this.#coming.get(identityId) ?? 0) + bytes)
    return true
  }

  /** Counts anew at the next question: of one identity, or of all. */
  forget(identityId?: string): void {
    if (identityId === undefined) this.#counts.clear()
    else this.#counts.delete(identityId)
  }

  async #count(identityId: string, now: number): Promise<Count> {
    let bytes = 0
    for (const prefix of [uploadPrefix(identityId), resultPrefix(identityId)]) {
      for await (const object of this.#store.list(prefix)) bytes += object.bytes
    }
    return { takenAt: now, bytes }
  }
}

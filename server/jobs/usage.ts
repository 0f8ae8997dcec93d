import { resultPrefix, uploadPrefix } from './keys.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import { MAX_STORED_BYTES } from '#shared/api/jobs'

const FRESH_MS = 30_000
/** What a file counts at least: very many tiny ones fill no disk, but every listing. */
const LEAST_BYTES = 64 * 1024

interface Count {
  readonly takenAt: number
  /** Grows by what was let in since. */
  bytes: number
}

const weightOf = (bytes: number): number => Math.max(bytes, LEAST_BYTES)

/** What an identity's files take up, parts of unfinished uploads included, counted at most every half minute; uploads in between are added as they come. */
export class StoredBytes {
  readonly #store: ObjectStore
  readonly #counts = new Map<string, Promise<Count>>()

  constructor(store: ObjectStore) {
    this.#store = store
  }

  async of(identityId: string, now: number): Promise<number> {
    return (await this.#fresh(identityId, now)).bytes
  }

  /** Whether an upload on its way still fits; counts it in when it does. */
  async admit(identityId: string, bytes: number, now: number): Promise<boolean> {
    const count = await this.#fresh(identityId, now)
    // From here on nothing waits: of many at a time none slips in between.
    if (count.bytes + weightOf(bytes) > MAX_STORED_BYTES) return false
    count.bytes += weightOf(bytes)
    return true
  }

  /** Counts anew at the next question: of one identity, or of all. */
  forget(identityId?: string): void {
    if (identityId === undefined) this.#counts.clear()
    else this.#counts.delete(identityId)
  }

  async #fresh(identityId: string, now: number): Promise<Count> {
    for (;;) {
      const known = this.#counts.get(identityId)
      const count = await known?.catch(() => undefined)
      if (count && now - count.takenAt < FRESH_MS) return count
      // Unless another has begun to count while this one waited.
      if (this.#counts.get(identityId) === known) break
    }
    if (this.#counts.size > 10_000) this.forget()
    const counting = this.#count(identityId, now)
    this.#counts.set(identityId, counting)
    return counting
  }

  async #count(identityId: string, now: number): Promise<Count> {
    let bytes = 0
    for (const prefix of [uploadPrefix(identityId), resultPrefix(identityId)]) {
      for await (const object of this.#store.list(prefix)) bytes += weightOf(object.bytes)
    }
    for await (const part of this.#store.partSizes(uploadPrefix(identityId))) bytes += weightOf(part)
    return { takenAt: now, bytes }
  }
}

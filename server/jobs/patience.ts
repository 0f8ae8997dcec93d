import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '#engine/failures'
import { AppError } from '#shared/errors/app-error'

/** Between the tries of one thing, half a minute in all: what takes longer goes back to the queue, where other hosts may have better luck. */
const PAUSES_MS: readonly number[] = [250, 500, 1000, 2000, 4000, 8000, 15_000]
/** And no further try later than this, where each takes its time to fail. */
const LONGEST_MS = 45_000

/** A connection to the storage that ended in the middle. */
const isCut = (error: unknown): boolean => ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(codeOf(error)))

/** Whether the storage could not do a thing now, and may soon. */
export const isAway = (error: unknown): boolean => isCut(error) || (error instanceof AppError && error.code === 'service.unavailable')

/** Does things with the storage, each again and again while that is away. What is done so must bear to be done twice. */
export class Patience {
  readonly #pausesMs: readonly number[]

  constructor(pausesMs: readonly number[] = PAUSES_MS) {
    this.#pausesMs = pausesMs
  }

  /** Throws what the last try threw, and an AbortError once the signal is given. */
  async try<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const begunAt = performance.now()
    for (const pauseMs of this.#pausesMs) {
      try {
        return await work()
      } catch (error) {
        if (!isAway(error) || signal.aborted || performance.now() - begunAt > LONGEST_MS) throw error
        // Not all at the same moment: many wait for one storage.
        await wait(pauseMs * (0.5 + Math.random()), undefined, { signal })
      }
    }
    return work()
  }
}

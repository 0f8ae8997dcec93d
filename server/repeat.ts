import type { Logger } from 'pino'

/** The database may be away: it is not asked every second, nor is the log told. */
const REST_MS = 10_000

/** Does a thing now and then, one turn at a time; what fails is logged and, after a rest, tried again. Gives what ends it. */
export function repeat<Given extends { readonly log: Logger }>(
  everyMs: number,
  what: (given: Given) => Promise<void>,
  given: Given,
): () => Promise<void> {
  let running: Promise<void> | undefined
  let failedAt = -Infinity
  const turn = (): void => {
    if (performance.now() - failedAt < REST_MS) return
    running ??= what(given)
      .catch((error: unknown) => {
        failedAt = performance.now()
        given.log.error({ err: error }, `${what.name} failed`)
      })
      .finally(() => (running = undefined))
  }
  const timer = setInterval(turn, everyMs)
  turn()
  return async () => {
    clearInterval(timer)
    await running
  }
}

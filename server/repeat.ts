import type { Logger } from 'pino'

/** Does a thing now and then, one turn at a time; what fails is logged and tried again at the next turn. Gives what ends it. */
export function repeat<Given extends { readonly log: Logger }>(
  everyMs: number,
  what: (given: Given) => Promise<void>,
  given: Given,
): () => Promise<void> {
  let running: Promise<void> | undefined
  const turn = (): void => {
    running ??= what(given)
      .catch((error: unknown) => given.log.error({ err: error }, `${what.name} failed`))
      .finally(() => (running = undefined))
  }
  const timer = setInterval(turn, everyMs)
  turn()
  return async () => {
    clearInterval(timer)
    await running
  }
}

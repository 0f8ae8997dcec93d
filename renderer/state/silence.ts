import { askServer, pause } from './network.ts'
import { AppError } from '#shared/errors/app-error'

const ASK_EVERY_MS = 5000
const SILENCES = 2

const isSilent = (): Promise<boolean> =>
  askServer().then(
    () => false,
    (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError',
  )

/** Rejects with `network.offline` where the server has gone silent before something is done: a network that dies without a word cuts nothing. */
export async function whileHeard<T>(work: Promise<T>): Promise<T> {
  const state = { isOver: false }
  const listening = (async () => {
    for (let silences = 0; silences < SILENCES && !state.isOver; silences = (await isSilent()) ? silences + 1 : 0) await pause(ASK_EVERY_MS)
    if (!state.isOver) throw new AppError('network.offline', {})
    return work
  })()
  return Promise.race([work, listening]).finally(() => (state.isOver = true))
}

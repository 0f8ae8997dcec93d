import { tabLocks } from '../platform/unsecured.ts'

/**
 * Does some work in one of the browser's tabs at a time: in this one when its turn comes, until it closes, `ended` says so or another
 * takes the turn; in each where tabs can’t know of each other. `work` returns what stops it. The function returned takes the turn from a tab that
 * holds it and stands still.
 */
export function takeTurns(name: string, work: () => () => void, ended: AbortSignal): () => void {
  const locks = tabLocks
  if (!locks) {
    ended.addEventListener('abort', work())
    return () => {}
  }
  let waiting = new AbortController()
  const untilEnded = new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve(), { once: true }))
  const turns = async (): Promise<void> => {
    for (let isTaking = false; !ended.aborted; isTaking = waiting.signal.aborted) {
      waiting = new AbortController()
      let stop: (() => void) | undefined
      // A lock is either waited for, with a signal to give up, or taken.
      const options = isTaking ? { steal: true } : { signal: waiting.signal }
      await locks
        .request(name, options, () => {
          stop = work()
          return untilEnded
        })
        .catch(ignoreAbort)
      stop?.()
    }
  }
  ended.addEventListener('abort', () => waiting.abort())
  void turns()
  return () => waiting.abort()
}

/** Given up, or taken by another tab. */
function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
}

import { atom } from 'jotai'
import { store } from './store.ts'
import { isClient } from '../platform/desktop.ts'
import { toWire } from '#shared/errors/app-error'

/** Whether the server can be reached, as far as the browser and the last calls tell. */
export const onlineAtom = atom(navigator.onLine)

export const setOnline = (isOnline: boolean): void => store.set(onlineAtom, isOnline)

window.addEventListener('online', () => setOnline(true))
window.addEventListener('offline', () => setOnline(false))

/** Resolves when the network is there; asks anew every two seconds where the browser only knows of a cable. */
export async function whenOnline(): Promise<void> {
  for (;;) {
    const isUp = navigator.onLine && (isClient || (await doesAnswer()))
    setOnline(isUp)
    if (isUp) return
    await pause(2000)
  }
}

/** For an answer of a few bytes, also on a line that an upload fills. */
const ANSWER_MS = 10_000

/** Asks the server whether it is there. */
export const askServer = (): Promise<Response> => fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })

const doesAnswer = (): Promise<boolean> =>
  askServer().then(
    ({ ok }) => ok,
    () => false,
  )

/** Waits so many milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The longest pause the page makes by itself before it asks again, in seconds. */
const LONGEST_PAUSE_S = 60

/** A full queue says nothing of when it will have room; browsers that ask again at one time would only fill it again at once. */
const busyPause = (): number => 5 + 5 * Math.random()

/** Waits where the server asked to come back later, or has no room for more jobs now; whether it did. */
export async function hasWaited(error: unknown): Promise<boolean> {
  const failure = toWire(error)
  if (failure.code !== 'rate.limited' && failure.code !== 'job.busy') return false
  const seconds = failure.code === 'job.busy' ? busyPause() : Math.min(failure.data.seconds, LONGEST_PAUSE_S)
  await pause(1000 * seconds)
  return true
}

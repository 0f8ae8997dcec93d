/** Asks the storage of a browser; null where that keeps nothing (cookies are blocked, no room is left): the page works as well, and forgets. */
export function ifKept<T>(ask: () => T): T | null {
  try {
    return ask()
  } catch {
    return null
  }
}

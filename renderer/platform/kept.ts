/** What a browser keeps for a page, by its keys. */
interface Kept {
  readonly read: (key: string) => string | null
  readonly write: (key: string, text: string) => void
}

function attempt<T>(action: () => T): T | null {
  try {
    return action()
  } catch {
    return null
  }
}

/** Where the browser keeps nothing (cookies are blocked, no room is left), the page works as well, and forgets. */
const keptIn = (open: () => Storage): Kept => ({
  read: (key) => attempt(() => open().getItem(key)),
  write: (key, text) => attempt(() => open().setItem(key, text)),
})

/** What the browser keeps for all its tabs, beyond this visit. */
export const keptForBrowser = keptIn(() => localStorage)
/** What it keeps for this tab, until that is closed. */
export const keptForTab = keptIn(() => sessionStorage)

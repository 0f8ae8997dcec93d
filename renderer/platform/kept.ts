/** What a browser keeps for a page, by its keys. */
interface Kept {
  readonly read: (key: string) => string | null
  readonly write: (key: string, text: string) => void
}

/** Where the browser keeps nothing (cookies are blocked, no room is left), the page works as well, until it is left. */
function keptIn(open: () => Storage): Kept {
  const unkept = new Map<string, string>()
  return {
    read: (key) => {
      try {
        return unkept.get(key) ?? open().getItem(key)
      } catch {
        return null
      }
    },
    write: (key, text) => {
      try {
        open().setItem(key, text)
        unkept.delete(key)
      } catch {
        unkept.set(key, text)
      }
    },
  }
}

/** What the browser keeps for all its tabs, beyond this visit. */
export const keptForBrowser = keptIn(() => localStorage)
/** What it keeps for this tab, until that is closed. */
export const keptForTab = keptIn(() => sessionStorage)

import type { Desktop } from '#shared/desktop'

/** What the client's preload script offers; a browser has none. Read here and nowhere else. */
export const { qingtu: desktop } = globalThis as { readonly qingtu?: Desktop<File> } // put there before any script of the page runs

/** Whether the page is the window of the client, which works on files where they lie, and not a page in a browser. */
export const isClient = desktop !== undefined

/** Whether who processes files can be reached: the client does that itself. */
export const isInReach = (): boolean => isClient || navigator.onLine

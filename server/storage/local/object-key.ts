/** Our own bound: an escaped segment doubles at most, and file systems stop at 255 bytes a name. */
const LONGEST_SEGMENT = 120
const LONGEST_KEY = 1000

export const isObjectKey = (key: string): boolean =>
  key.length <= LONGEST_KEY &&
  key.split('/').every((segment) => /^[A-Za-z0-9._-]+$/.test(segment) && !/^\.\.?$/.test(segment) && segment.length <= LONGEST_SEGMENT)

/** Names that differ by case only, end in a dot or are a Windows device stay apart: no capitals, no dots, and never the bare segment. */
const escape = (segment: string): string =>
  segment.replaceAll(/[A-Z_.]/g, (one) => (one === '_' ? '__' : one === '.' ? '_-' : `_${one.toLowerCase()}`))

const unescape = (name: string): string =>
  name.replaceAll(/_(.)/g, (_all, one: string) => (one === '_' ? '_' : one === '-' ? '.' : one.toUpperCase()))

/** Where the folder of `a/b/` lies, as names below the root. A key may be object and folder at once, hence the two kinds of names. */
export const folderNames = (prefix: string): string[] =>
  prefix
    .split('/')
    .slice(0, -1)
    .map((segment) => `d-${escape(segment)}`)

export const objectNames = (key: string): string[] => [...folderNames(key), `o-${escape(key.slice(key.lastIndexOf('/') + 1))}`]

/** What a name stands for: an object's last segment, or a folder's with its slash. In this form names sort as keys do. */
export function segmentOf(name: string): string | undefined {
  if (name.startsWith('o-')) return unescape(name.slice(2))
  return name.startsWith('d-') ? `${unescape(name.slice(2))}/` : undefined
}

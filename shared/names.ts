const RESERVED_ON_WINDOWS = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i
// Control characters, what Windows refuses in names (the colon also opens alternate data streams), and the
// direction marks that can make `exe.jpg` read as `gpj.exe`, and half characters, which no file system keeps.
const FORBIDDEN_CLASS = String.raw`\p{Cc}\p{Cs}\p{Bidi_Control}<>:"|?*`
const FORBIDDEN = new RegExp(`[${FORBIDDEN_CLASS}]`, 'gu')
/** One character that `safeName` leaves as it is, but no brace, as the source of a regular expression with the flag `u`. */
export const PLAIN_CHARACTER = String.raw`[^{}/\\${FORBIDDEN_CLASS}]`
const MAX_NAME_BYTES = 200

const utf8Bytes = (text: string): number => {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

const cut = (text: string, limitBytes: number): string => {
  let kept = ''
  let bytes = 0
  for (const character of text) {
    bytes += utf8Bytes(character)
    if (bytes > limitBytes) break
    kept += character
  }
  return kept
}

/** The name and extension of a file name; `.env` and `名字` have no extension. The extension comes without its dot. */
export function splitName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot + 1) }
}

// What Windows drops at the end of a name. Blanks of every kind, so that none stands behind the dots that make `..`.
const LOOSE_END = /[.\s]+$/

/** A name that is safe on Linux, macOS and Windows: the last path segment, NFC, without forbidden characters, at most 200 bytes. */
export function safeName(name: string): string {
  const base = name.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const cleaned = base.replace(FORBIDDEN, '').replace(LOOSE_END, '').trim()
  const named = cleaned || '未命名'
  const { stem, extension } = splitName(RESERVED_ON_WINDOWS.test(named) ? `_${named}` : named)
  const suffix = extension && `.${cut(extension, 20)}`
  return (cut(stem, MAX_NAME_BYTES - utf8Bytes(suffix)) + suffix).replace(LOOSE_END, '')
}

/** The folder a file was picked from (`旅行/第一天`), each part safe as a name; `..` and the like do not survive. */
export const safePath = (path: string): string =>
  path
    .split(/[/\\]/)
    .filter((part) => part.replace(LOOSE_END, '') !== '')
    .slice(0, 20)
    .map(safeName)
    .join('/')

/** The name a result goes by: the source's, what tells it from others of that source (`-排版`), and the extension of what it now holds. */
export const resultName = (sourceName: string, extension: string, suffix = ''): string =>
  nameAround(splitName(safeName(sourceName)).stem, (stem) => stem + suffix, extension)

/** A safe name made of a stem and what is to stand around it; where that is too long the stem is cut, so that the rest keeps names apart. */
export function nameAround(stem: string, around: (stem: string) => string, extension: string): string {
  const roomBytes = MAX_NAME_BYTES - utf8Bytes(`${around('')}.${extension}`)
  return safeName(`${around(cut(stem, roomBytes))}.${extension}`)
}

/** What a page's results end in: its number, with as many digits as the last one has, so that names sort as pages do. */
export const pageSuffix = (page: number, count: number): string => `-${String(page).padStart(String(count).length, '0')}`

/** What is taken in a zip before any file is: its folders. A file by the name of one could not be unpacked beside it. */
export function folderNames(folders: Iterable<string | undefined>): Set<string> {
  const taken = new Set<string>()
  for (const folder of folders) {
    const parts = folder?.toLowerCase().split('/') ?? []
    for (const depth of parts.keys()) taken.add(parts.slice(0, depth + 1).join('/'))
  }
  return taken
}

/** The first of `a.jpg`, `a (1).jpg` … not taken in its folder (`旅行/`, or empty), now taken; letters of either case are one on Windows. */
export function freeName(taken: Set<string>, folder: string, name: string): string {
  for (let attempt = 0; ; attempt++) {
    const path = folder + numberedName(name, attempt)
    const known = path.toLowerCase()
    if (taken.has(known)) continue
    taken.add(known)
    return path
  }
}

/** The n-th name to try when `name` is taken: `a.jpg`, `a (1).jpg`, `a (2).jpg` … */
export function numberedName(name: string, attempt: number): string {
  if (attempt === 0) return name
  const { stem, extension } = splitName(name)
  return extension === '' ? `${stem} (${attempt})` : `${stem} (${attempt}).${extension}`
}

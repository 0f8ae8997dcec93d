import { posix, win32 } from 'node:path'

/** Names that are devices wherever they stand, with any extension, and with blanks before it. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:$|\.)/i
/** What no name on Windows holds; the colon opens another stream of the file before it. */
const UNNAMEABLE = /[\p{Cc}<>:"|?*]/u
/** Windows takes these off a name in silence: it would be another file's. */
const TRAILING = /[. ]$/

/**
 * Whether a path may name a file or folder to work with. On Windows: on a drive (a share only under a letter), whole, and none of its parts a
 * device, another stream, or a name that Windows would read as a different one.
 */
export const isUsablePath = (path: string, platform: NodeJS.Platform = process.platform): boolean =>
  platform === 'win32' ? isUsableOnWindows(path) : posix.isAbsolute(path) && !path.includes('\0')

function isUsableOnWindows(path: string): boolean {
  const { root } = win32.parse(path)
  // `\\server\share\`, `\\?\`, `\\.\`, `\` of whatever drive is current, and `C:` of its current folder are none of these.
  if (!/^[a-z]:[\\/]$/i.test(root)) return false
  const parts = path.slice(root.length).split(/[\\/]/)
  return parts.every((part) => part === '' || part === '.' || part === '..' || isUsableName(part))
}

const isUsableName = (name: string): boolean => !DEVICE.test(name) && !UNNAMEABLE.test(name) && !TRAILING.test(name)

/** Whether two paths are one; on Windows letters of either case are. */
export function isSamePath(left: string, right: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== 'win32') return posix.normalize(left) === posix.normalize(right)
  return win32.normalize(left).toLowerCase() === win32.normalize(right).toLowerCase()
}

/** Whether a path lies in a folder or its folders, by its words alone. */
export function isInside(path: string, folder: string, platform: NodeJS.Platform = process.platform): boolean {
  const { isAbsolute, relative, sep } = platform === 'win32' ? win32 : posix
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

import { realpath as realpathWithCallback } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { isSamePath, isUsablePath } from './path-rules.ts'
import { AppError } from '#shared/errors/app-error'

/**
 * Where a path really leads, links and junctions followed. Not `fs.promises.realpath`, the system's own: on Windows that makes shares of
 * drives that stand for them, and those are to stay usable.
 */
export const realPath = promisify(realpathWithCallback)

/** Where an existing path really leads. Throws `place.refused` where that may not be used. */
export async function usablePath(path: string): Promise<string> {
  if (!isUsablePath(path)) throw new AppError('place.refused', {})
  const real = await realPath(path)
  if (!isUsablePath(real)) throw new AppError('place.refused', {})
  return real
}

/** Where an existing folder really leads. Throws `place.refused` where that may not be used, and `place.gone` where it is no more. */
export const usableFolder = (path: string): Promise<string> =>
  usablePath(path).catch((error: unknown) => {
    throw error instanceof AppError ? error : new AppError('place.gone', {}, { cause: error })
  })

/**
 * A folder that was checked before, found to be where it was: a link in its place, or in that of a folder above, is refused. Throws
 * `place.refused`, or `place.gone` where it is no more.
 */
export async function sameFolder(path: string): Promise<string> {
  const real = await usableFolder(path)
  if (!isSamePath(real, path)) throw new AppError('place.refused', {})
  if (!(await lstat(real)).isDirectory()) throw new AppError('place.gone', {})
  return path
}

/**
 * How large a file is that was granted before, and what tells its bytes from those of another time. Throws `file.missing` where it is no
 * more, and `place.refused` where a link took its place, or that of a folder above.
 */
export async function sameFile(path: string): Promise<{ bytes: number; tag: string }> {
  const real = await usablePath(path).catch((error: unknown) => {
    throw error instanceof AppError ? error : new AppError('file.missing', {}, { cause: error })
  })
  if (!isSamePath(real, path)) throw new AppError('place.refused', {})
  const entry = await stat(real, { bigint: true })
  if (!entry.isFile()) throw new AppError('file.missing', {})
  return { bytes: Number(entry.size), tag: `${entry.size}-${entry.mtimeNs}-${entry.ino}` }
}

import { realpath as realpathWithCallback } from 'node:fs'
import { lstat } from 'node:fs/promises'
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

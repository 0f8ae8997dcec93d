import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sameFolder } from './real-path.ts'
import { codeOf, translate } from '#engine/failures'
import { settle, stage, wasSettled } from '#engine/place'
import { AppError } from '#shared/errors/app-error'

/** A file on its way into a folder: what it is until it has its name, and the last path that was tried for it. */
export interface OnItsWay {
  readonly folder: string
  readonly name: string
  readonly partial: string
  readonly path?: string
}

/** The name a result has in its folder until it is whole: nobody's, and told from all others by its job. */
export const partialName = (jobId: string, n: number): string => `.${jobId}-${n}.part`

/** Copies results to where their places are. What fails leaves nothing. Throws AppError. */
export async function stageAll(files: readonly { readonly source: string; readonly partial: string }[]): Promise<void> {
  try {
    for (const { source, partial } of files) await stage(source, partial)
  } catch (error) {
    await removeAll(files)
    throw placeFailure(error)
  }
}

/**
 * Gives staged results their names, or the next free ones; their paths. `note` is told of each path before it is tried. Results that an
 * earlier process had begun to name are not named twice. What fails leaves nothing. Throws AppError.
 */
export async function settleAll(files: readonly OnItsWay[], note: (n: number, path: string) => Promise<void>): Promise<readonly string[]> {
  const paths: string[] = []
  try {
    for (const [n, { folder, name, partial, path }] of files.entries()) {
      await sameFolder(folder)
      const isPlaced = path !== undefined && (await wasSettled(partial, path))
      paths.push(isPlaced ? path : await settle(partial, folder, name, (next) => note(n, next)))
    }
    return paths
  } catch (error) {
    await removeAll(files)
    for (const path of paths) await rm(path, { force: true }).catch(() => {}) // of several results all are there or none
    throw placeFailure(error)
  }
}

/** Removes staged files. */
export async function removeAll(files: readonly { readonly partial: string }[]): Promise<void> {
  for (const { partial } of files) await rm(partial, { force: true }).catch(() => {}) // its folder may be gone
}

/** Removes what a job has left in a folder before it was noted. */
export async function removeLeft(jobId: string, folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(`.${jobId}-`) && name.endsWith('.part')) await rm(join(folder, name), { force: true }).catch(() => {})
  }
}

/** What the system says of a folder, in our words: it is the folder's fault now, no file's. */
export function placeFailure(thrown: unknown): AppError {
  const code = codeOf(thrown)
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENXIO') return new AppError('place.gone', {}, { cause: thrown })
  if (code === 'ENAMETOOLONG' || code === 'ELOOP' || code === 'EINVAL') return new AppError('place.refused', {}, { cause: thrown })
  return translate(thrown)
}

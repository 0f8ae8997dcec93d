import { mkdir, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sameFolder, usableFolder } from './real-path.ts'
import { codeOf } from '#engine/failures'
import { AppError } from '#shared/errors/app-error'
import type { OutputPlace } from '#shared/desktop'

/** The folder that results of files are put into, beside each of them. */
export const SUBFOLDER = '轻图'

/** What a job's results are put by. */
export interface Destination {
  readonly place: OutputPlace
  /** The chosen folder, where one is for all. */
  readonly folder: string
  /** The job's first file, and the folder it was picked from. */
  readonly source: { readonly path: string; readonly folder?: string }
  /** Whether the job is one of all its files together, in whatever folders they lie. */
  readonly isTogether: boolean
  /** The folder for results of files that lie nowhere a person looks; undefined for all others. */
  readonly instead: string | undefined
}

/** A folder for results, there and checked. */
export interface OutputFolder {
  readonly path: string
  /** Removes those folders that were made for it, as far as they are empty. */
  readonly undo: () => Promise<void>
}

/**
 * Opens the folder for a job's results, made where it is not there. Throws `place.gone` where what it is made in is no more, and
 * `place.refused` where a link stands in its place or in that of any folder on the way.
 */
export async function openOutputFolder(destination: Destination): Promise<OutputFolder> {
  const { base, below } = await wayTo(destination)
  const made: string[] = []
  const undo = async (): Promise<void> => {
    for (const folder of made.toReversed()) await rmdir(folder).catch(() => {}) // something is in it by now
  }
  try {
    let path = await sameFolder(base)
    for (const name of below) {
      path = join(path, name)
      if (await hasMade(path)) made.push(path)
      await sameFolder(path)
    }
    return { path, undo }
  } catch (error) {
    await undo()
    throw error
  }
}

/** The folder that must be there, and those in it that are made. */
async function wayTo({ place, folder, source, isTogether, instead }: Destination): Promise<{ base: string; below: readonly string[] }> {
  if (place === 'folder') {
    if (folder === '') throw new AppError('place.gone', {})
    return { base: folder, below: isTogether ? [] : partsOf(source.folder) }
  }
  // The system says where a person's pictures lie, by a link perhaps.
  if (instead !== undefined) return { base: await usableFolder(instead), below: [SUBFOLDER] }
  const beside = isTogether ? above(source) : dirname(source.path)
  return { base: beside, below: place === 'subfolder' ? [SUBFOLDER] : [] }
}

const partsOf = (folder = ''): readonly string[] => folder.split('/').filter((part) => part !== '')

/** The folder in which that folder lies from which a file was picked, as far as its path says the same. */
function above({ path, folder }: Destination['source']): string {
  const own = dirname(path)
  let at = own
  for (const part of partsOf(folder).toReversed()) {
    if (basename(at) !== part) return own
    at = dirname(at)
  }
  return at
}

async function hasMade(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

import { constants } from 'node:fs'
import { chmod, copyFile, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from './failures.ts'
import { numberedName } from '#shared/names'

/** More files of one name than anybody keeps in a folder; the loop must end. */
const MAX_ATTEMPTS = 10_000
const PATIENCE = { maxRetries: 5, retryDelay: 100 } as const

/**
 * Puts a finished file into a folder under its name, or the next free one (`a (1).jpg`); nothing is ever overwritten, and nobody sees half
 * a file. Returns the path.
 */
export async function place(source: string, folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const partial = join(folder, `.${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}.part`)
  await stage(source, partial)
  return settle(partial, folder, name)
}

/** Copies a file to where its place is, under a name that nobody takes for it, and on to the disk. What fails leaves nothing. */
export async function stage(source: string, partial: string): Promise<void> {
  try {
    await copyFile(source, partial, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    // The copy of a source that may not be written to is no such source.
    await chmod(partial, ((await lstat(partial)).mode & 0o777) | 0o200)
    await using file = await open(partial, 'r+')
    await file.datasync()
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/**
 * Gives a staged file its name, or the next free one, at once; the path. `note` is told each path before it is tried: so whoever starts
 * after a process that ended in between can ask `wasSettled` for the last one noted. What fails leaves nothing.
 */
export async function settle(partial: string, folder: string, name: string, note?: (path: string) => Promise<void>): Promise<string> {
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const path = join(folder, numberedName(name, attempt))
      if (await isThere(path)) continue
      await note?.(path)
      if (await hasMoved(partial, path)) return path
    }
    throw new Error(`${MAX_ATTEMPTS} files named ${name}`)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Whether a staged file that was about to take a path has it; where it had got half-way it has it afterwards. */
export async function wasSettled(partial: string, path: string): Promise<boolean> {
  const [staged, found] = await Promise.all([partial, path].map((one) => lstat(one, { bigint: true }).catch(() => undefined)))
  if (!staged) return true
  if (!found?.isFile()) return false
  if (found.ino === staged.ino && found.dev === staged.dev) {
    await rm(partial, { force: true })
    return true
  }
  // The name was free when it was noted: an empty file is what this program reserved it with.
  if (found.size > 0n) return false
  await rename(partial, path)
  return true
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Moves a staged file to a path where there is none, whole; false where there is one. */
async function hasMoved(partial: string, path: string): Promise<boolean> {
  try {
    // Unlike renaming, a second name replaces nothing on any system.
    await link(partial, path)
  } catch (error) {
    // FAT has no second names, nor have some shares.
    return isTaken(error) ? false : hasMovedByReserving(partial, path)
  }
  await rm(partial, { force: true, recursive: true, ...PATIENCE }).catch(() => {}) // a second name too many, and the result is there
  return true
}

async function hasMovedByReserving(partial: string, path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close()
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
  try {
    await renamePatiently(partial, path)
    return true
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** On Windows whoever looks through new files holds them for a moment. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (process.platform !== 'win32' || attempt > PATIENCE.maxRetries || codeOf(error) === 'ENOENT') throw error
      await wait(PATIENCE.retryDelay)
    }
  }
}

const isTaken = (error: unknown): boolean => codeOf(error) === 'EEXIST'

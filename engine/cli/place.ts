import { constants } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { numberedName } from '#shared/names'

/** More files of one name than anybody keeps in a folder; the loop must end. */
const MAX_ATTEMPTS = 10_000

/**
 * Puts a finished file into a folder under its name, or the next free one (`a (1).jpg`); nothing is ever overwritten.
 * The name is reserved first and the content moved over it whole, so that nobody sees half a file. Returns the path.
 */
export async function place(source: string, folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const target = await reserve(folder, name)
  const partial = join(folder, `.${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}.part`)
  try {
    await copyFile(source, partial, constants.COPYFILE_EXCL)
    await rename(partial, target)
  } catch (error) {
    await Promise.all([rm(partial, { force: true }), rm(target, { force: true })])
    throw error
  }
  return target
}

async function reserve(folder: string, name: string): Promise<string> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const path = join(folder, numberedName(name, attempt))
    try {
      await (await open(path, 'wx')).close()
      return path
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
  throw new Error(`${MAX_ATTEMPTS} files named ${name}`)
}

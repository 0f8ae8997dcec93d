import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Puts bytes in the place of a file's, for this person alone: whenever the computer ends, the file is what it was before or after. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const partial = `${path}.new`
  try {
    await using file = await open(partial, 'w', 0o600)
    await file.writeFile(bytes)
    await file.sync()
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  await rename(partial, path)
  // Windows makes renames outlive it by itself, and opens no folders.
  if (process.platform === 'win32') return
  await using folder = await open(dirname(path), 'r')
  await folder.sync()
}

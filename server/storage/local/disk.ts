import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isMissing, OssError } from './oss-error.ts'
import { trailerOf, type Facts } from './stored-file.ts'

export interface Space {
  readonly freeBytes: number
  readonly totalBytes: number
}

export async function measureSpace(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** Of the disk, left free for all else: what would take more is refused. */
export const FREE_SHARE = 0.1

/** Whether the disk of a folder has room for more uploads. */
export async function hasRoom(folder: string, freeShare = FREE_SHARE): Promise<boolean> {
  const { freeBytes, totalBytes } = await measureSpace(folder)
  return freeBytes >= totalBytes * freeShare
}

/** Folders cannot be synced on Windows, where NTFS journals renames itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function makeFolders(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** The endpoint's folder: `objects`, `uploads`, and `temp` for what is not yet, or no longer, either. One process owns it. */
export class Disk {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Opens a folder and removes what a killed process left unfinished in it. */
  static async open(folder: string): Promise<Disk> {
    const disk = new Disk(folder)
    for (const name of ['objects', 'uploads', 'temp']) await makeFolders(disk.path(name))
    for (const name of await readdir(disk.path('temp'))) await rm(disk.path('temp', name), { recursive: true, force: true })
    return disk
  }

  path(...names: string[]): string {
    return join(this.folder, ...names)
  }

  /**
   * Streams bytes into a temporary file, their facts behind them, and has it put in place once it is safe on the disk. Facts are
   * asked for at the end and may refuse. Whatever throws, nothing is left.
   */
  async write(chunks: AsyncIterable<Uint8Array>, facts: () => Facts, place: (temp: string) => Promise<void>): Promise<Facts> {
    const temp = this.path('temp', randomUUID())
    try {
      const handle = await open(temp, 'wx')
      let kept: Facts
      try {
        for await (const chunk of chunks) await handle.appendFile(chunk)
        kept = facts()
        await handle.appendFile(trailerOf(kept))
        await handle.sync()
      } finally {
        await handle.close()
      }
      await place(temp)
      return kept
    } catch (thrown) {
      await rm(temp, { force: true })
      throw thrown
    }
  }

  /** Moves a file where it belongs. The folders on the way may vanish as others are emptied, so it makes them again. */
  async place(temp: string, target: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await makeFolders(dirname(target))
      try {
        await this.placeInFolder(temp, target)
        return
      } catch (thrown) {
        if (!isMissing(thrown) || attempt === 5) throw thrown
      }
    }
  }

  /** Moves a file into a folder that exists; throws ENOENT where it does not. */
  async placeInFolder(temp: string, target: string): Promise<void> {
    await rename(temp, target)
    await syncFolder(dirname(target))
  }

  /** Removes a folder at one stroke: it is gone, or as it was, whenever the process dies. */
  async discard(folder: string): Promise<void> {
    const temp = this.path('temp', randomUUID())
    await rename(folder, temp)
    await rm(temp, { recursive: true, force: true })
  }
}

/** Throws StorageFull where storing some bytes would leave less than a share of the disk free. */
export function requireSpace({ freeBytes, totalBytes }: Space, bytes: number, freeShare: number): void {
  if (freeBytes - bytes < totalBytes * freeShare) throw new OssError('StorageFull', 'There is no space left for this object.')
}

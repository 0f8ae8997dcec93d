import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { InputFile } from './processor.ts'

/** Folders within folders further than anybody keeps files; a walk must end. */
const DEEPEST = 40

/**
 * The files in a folder and in its folders, in the order of their names; each knows the folder it lay in, from the outermost one's name on
 * (`旅行/第一天`). Links are not followed, and a folder that can't be read is as good as empty. After `most` files it ends.
 */
export async function filesIn(folder: string, most = Infinity): Promise<readonly InputFile[]> {
  const found: InputFile[] = []
  await walk(resolve(folder), basename(resolve(folder)), DEEPEST, (file) => found.push(file) < most)
  return found.slice(0, most)
}

/** Whether there is more to be had. */
async function walk(folder: string, name: string, depth: number, take: (file: InputFile) => boolean): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.toSorted((left, right) => left.name.localeCompare(right.name))) {
    const path = join(folder, entry.name)
    if (entry.isFile() && !take({ path, name: entry.name, folder: name })) return false
    if (entry.isDirectory() && depth > 0 && !(await walk(path, `${name}/${entry.name}`, depth - 1, take))) return false
  }
  return true
}

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from './failures.ts'

const PREFIX = 'qingtu-'

/** A private folder for one job, gone when its owner is done with it. */
export interface Workspace extends AsyncDisposable {
  readonly folder: string
}

/** Opens a workspace in the system's temporary folder (readable by this user only), or in `parent`. */
export async function openWorkspace(parent: string = tmpdir()): Promise<Workspace> {
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`))
  return {
    folder,
    // Windows keeps a killed process's files open for a moment; the retries outlast it.
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * Removes the workspaces of processes that were killed before they could. The owner's pid is in the name, so those of
 * running ones stay; what can't be removed (another user's) is left alone. Never throws.
 */
export async function sweepWorkspaces(parent: string = tmpdir()): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = /^qingtu-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

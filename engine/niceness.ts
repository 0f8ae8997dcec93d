import { writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** The kernel takes one such wish in a tenth of a second from those who are not root. */
const AGAIN_MS = 150
const TRIES = 20

/**
 * Makes a session that a child leads give way. Linux shares the processor among sessions first (autogroups, sched(7)), and `nice` counts
 * within one only: without this each child has as large a share as its parent, however nice it is.
 */
export async function yieldSession(leader: number, niceness: number): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    try {
      return await writeFile(`/proc/${leader}/autogroup`, String(niceness))
    } catch (error) {
      // No such file: the kernel shares it among processes, or the child has ended.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      await wait(AGAIN_MS)
    }
  }
}
